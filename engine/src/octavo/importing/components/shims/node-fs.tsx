/** The module `fs` of Node.js: a component that reads no file while it is drawn works; any other cannot be used. */
const absent =
  (name: string): any =>
  () => {
    throw new Error(`it calls ${name} of fs`);
  };

export const access = absent("access");
export const accessSync = absent("accessSync");
export const constants: Record<string, number> = {};
export const existsSync = absent("existsSync");
export const mkdir = absent("mkdir");
export const mkdirSync = absent("mkdirSync");
export const readFile = absent("readFile");
export const readFileSync = absent("readFileSync");
export const readdir = absent("readdir");
export const readdirSync = absent("readdirSync");
export const stat = absent("stat");
export const statSync = absent("statSync");
export const writeFile = absent("writeFile");
export const writeFileSync = absent("writeFileSync");
export const promises: Record<string, any> = { access, mkdir, readFile, readdir, stat, writeFile };
export default {
  ...{ access, accessSync, constants, existsSync, mkdir, mkdirSync, promises, readFile, readFileSync },
  ...{ readdir, readdirSync, stat, statSync, writeFile, writeFileSync },
};
