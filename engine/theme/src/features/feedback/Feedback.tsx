import { type SubmitEvent, useState } from "react";
import type { FeedbackData } from "../../payload.gen";
import { announce } from "../navigation/Announcer";
import { sendAnswer } from "./sendAnswer";
import { word } from "../../ui/words";

/** A question about the page. A form: without script the server counts the answer and leads back to the thanks. */
export function Feedback({ feedback, path }: { feedback: FeedbackData; path: string }) {
  const [outcome, setOutcome] = useState("");
  const thanks = word("feedback.thanks");
  const answer = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget, event.nativeEvent.submitter);
    void sendAnswer(feedback.action, form).then((isSent) => {
      const said = isSent ? thanks : word("feedback.failed");
      setOutcome(said);
      announce(said);
    });
  };
  return (
    <form className="feedback" action={feedback.action} method="post" onSubmit={answer}>
      <input type="hidden" name="page" value={path} />
      {outcome !== thanks && (
        <fieldset>
          <legend>{feedback.question}</legend>
          <span className="whole">
            <button type="submit" className="button" name="answer" value="yes">
              {word("feedback.yes")}
            </button>{" "}
            <button type="submit" className="button" name="answer" value="no">
              {word("feedback.no")}
            </button>
          </span>
        </fieldset>
      )}
      {outcome === "" ? (
        <p id="feedback-thanks" className="feedback-thanks">
          {thanks}
        </p>
      ) : (
        <p>{outcome}</p>
      )}
    </form>
  );
}
