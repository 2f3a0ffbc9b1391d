import type { Ref } from "react";
import { word } from "../../ui/words";

interface SearchFormProps {
  /** Address of the search page. */
  action: string;
  /** Name of the landmark. */
  label: string;
  /** Of the form, for those who take it over. */
  formRef?: Ref<HTMLFormElement>;
}

/** A search field that works without scripts. */
export function SearchForm({ action, label, formRef }: SearchFormProps) {
  return (
    <form ref={formRef} className="search-form" role="search" aria-label={label} action={action} method="get">
      <input
        className="search-input"
        type="search"
        name="q"
        aria-label={word("search")}
        placeholder={word("search.type")}
        autoComplete="off"
        maxLength={512}
        required
      />
      <button className="button button-primary" type="submit">
        {word("search")}
      </button>
    </form>
  );
}
