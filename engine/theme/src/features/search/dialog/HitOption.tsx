import { kindName } from "../kinds";
import { Marked } from "../Marked";
import type { Hit } from "../query/hits";
import { SearchIcon } from "../SearchIcon";
import { OptionLink } from "./OptionLink";
import type { Options } from "./useOptions";

interface HitOptionProps {
  hit: Hit;
  index: number;
  /** Whether its page is the option right above it. */
  isBelowPage: boolean;
  showsVersion: boolean;
  options: Options;
  onChoose: () => void;
  onLeave: () => void;
}

/** One hit. */
export function HitOption({ hit, index, isBelowPage, showsVersion, options, onChoose, onLeave }: HitOptionProps) {
  const trail = isBelowPage ? hit.trail.slice(1) : hit.trail;
  const kind = kindName(hit.kind);
  return (
    <OptionLink
      className={isBelowPage ? "hit hit-below" : "hit"}
      href={hit.href}
      leavesSite={hit.leavesSite}
      index={index}
      options={options}
      onChoose={onChoose}
      onLeave={onLeave}
    >
      <SearchIcon name={hit.kind === "code" ? "code" : hit.kind === "command" ? "command" : hit.form} />
      <span className="hit-text">
        <span className="hit-title" data-kind={hit.form === "text" ? hit.kind : undefined}>
          <Marked text={hit.title} />
        </span>
        {trail.length > 0 && <span className="hit-detail">{trail.join(" › ")}</span>}
        {trail.length === 0 && hit.excerpt !== null && (
          <span className="hit-detail">
            <Marked text={hit.excerpt} />
          </span>
        )}
      </span>
      {showsVersion && hit.version !== null && <span className="hit-kind">{hit.version}</span>}
      {kind !== null && <span className="hit-kind">{kind}</span>}
    </OptionLink>
  );
}
