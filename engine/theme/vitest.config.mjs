import { defineConfig } from "vitest/config";

// Style sheets are read as they are: the contrast of the tokens is under test.
export default defineConfig({ test: { include: ["tests/**/*.test.ts"], css: true, setupFiles: ["tests/setup.ts"] } });
