import { expect, it } from "vitest";
import { splitName } from "../src/features/reference/Breakable";

it.each([
  ["/health", ["/health"]],
  ["/api/v1/workspaces/{workspace_name}/alerts", ["/api/v1", "/workspaces", "/{workspace_", "name}/alerts"]],
  ["http://localhost:8989/v1", ["http://localhost:8989", "/v1"]],
  ["workspace_name", ["workspace_", "name"]],
  ["ListActiveWorkspacesResponse", ["ListActive", "Workspaces", "Response"]],
  ["", [""]],
])("splits %s between its parts", (name, pieces) => {
  expect(splitName(name)).toEqual(pieces);
});

it("breaks a long path less often where it is asked to", () => {
  expect(splitName("/repos/{owner}/{repo}/actions/runners", 16)).toEqual(["/repos/{owner}/{repo}", "/actions/runners"]);
});
