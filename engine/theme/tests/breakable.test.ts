import { expect, it } from "vitest";
import { splitName } from "../src/ui/Breakable";

it.each([
  ["/health", ["/health"]],
  ["/api/v1/workspaces/{workspace_name}/alerts", ["/api/v1", "/workspaces", "/{workspace_name}", "/alerts"]],
  ["http://localhost:8989/v1", ["http://localhost:8989", "/v1"]],
  ["/{name_of_a_parameter_that_is_very_long}", ["/{name_", "of_a_parameter_", "that_is_", "very_long}"]],
  ["workspace_name", ["workspace_", "name"]],
  ["ListActiveWorkspacesResponse", ["ListActive", "Workspaces", "Response"]],
  ["", [""]],
])("splits %s between its parts", (name, pieces) => {
  expect(splitName(name)).toEqual(pieces);
});

it("breaks a long path less often where it is asked to", () => {
  expect(splitName("/repos/{owner}/{repo}/actions/runners", 16)).toEqual(["/repos/{owner}/{repo}", "/actions/runners"]);
});
