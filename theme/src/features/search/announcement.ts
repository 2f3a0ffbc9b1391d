import type { SearchState } from "./query/session";

/** What readers of a screen reader hear of a search. */
export function announcementOf({ question, status, answer, problem }: SearchState): string {
  if (problem !== null) return `Unable to fetch results. ${problem}`;
  if (status === "stalled") return "Searching…";
  if (status === "loading" || answer === null || question.query.trim() === "") return "";
  if (answer.count === 0) return `No results for "${answer.question.query}"`;
  return `${countText(answer.count)} for "${answer.question.query}"`;
}

function countText(count: number): string {
  return count === 1 ? "1 result" : `${count.toLocaleString("en")} results`;
}
