import { type SubmitEvent, useState } from "react";
import type { FeedbackData } from "../../payload.gen";
import { announce } from "../navigation/Announcer";
import { sendAnswer } from "./sendAnswer";

const THANKS = "Thank you for your answer.";
const FAILED = "Your answer could not be sent. Please try again later.";

/** A question about the page. A form: without script the server counts the answer and leads back to the thanks. */
export function Feedback({ feedback, path }: { feedback: FeedbackData; path: string }) {
  const [outcome, setOutcome] = useState("");
  const answer = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget, event.nativeEvent.submitter);
    void sendAnswer(feedback.action, form).then((isSent) => {
      const said = isSent ? THANKS : FAILED;
      setOutcome(said);
      announce(said);
    });
  };
  return (
    <form className="feedback" action={feedback.action} method="post" onSubmit={answer}>
      <input type="hidden" name="page" value={path} />
      {outcome !== THANKS && (
        <fieldset>
          <legend>{feedback.question}</legend>
          <button type="submit" className="button" name="answer" value="yes">
            Yes
          </button>
          <button type="submit" className="button" name="answer" value="no">
            No
          </button>
        </fieldset>
      )}
      {outcome === "" ? (
        <p id="feedback-thanks" className="feedback-thanks">
          {THANKS}
        </p>
      ) : (
        <p>{outcome}</p>
      )}
    </form>
  );
}
