import { countText } from "./countText";
import type { SearchState } from "./query/session";

/** What readers of a screen reader hear of a search. */
export function announcementOf({ question, status, answer, problem }: SearchState): string {
  if (problem !== null) return "The search failed. It can be tried again.";
  if (status === "stalled") return "Searching…";
  if (status === "loading" || answer === null || question.query.trim() === "") return "";
  return `${countText(answer)} for "${answer.question.query}"`;
}
