export { Interpolate as default } from "./translate";
