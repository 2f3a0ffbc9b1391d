import Frame from "./tabs";
import TabItem from "./tab-item";

export * from "./starlight";
export { Frame as Tabs, TabItem };
