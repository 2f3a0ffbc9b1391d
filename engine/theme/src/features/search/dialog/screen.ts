import type { SearchState } from "../query/session";

type Screen = "start" | "results" | "none" | "error";

/** State in, one screen out. While an answer is under way, the screen before stays. */
export function screenOf({ question, answer, problem }: SearchState): Screen {
  if (problem !== null) return "error";
  if (question.query.trim() === "" || answer === null) return "start";
  return answer.count > 0 || answer.otherSites.length > 0 ? "results" : "none";
}
