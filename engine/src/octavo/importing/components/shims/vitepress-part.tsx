import { withBase } from "octavo";
import type { ReactNode } from "react";

interface Part {
  text?: ReactNode;
  href?: string;
  class?: string;
  children?: ReactNode;
}

/** A link, a button or a mark of the old theme. */
export default function Part({ text, href, children, class: className }: Part) {
  const content = children ?? text;
  return href ? (
    <a href={href.startsWith("/") ? withBase(href) : href} className={className}>
      {content}
    </a>
  ) : (
    <span className={className}>{content}</span>
  );
}
export { Part as VPBadge, Part as VPButton, Part as VPLink };

interface Member {
  name: string;
  title?: string;
  org?: string;
  orgLink?: string;
  avatar?: string;
  desc?: string;
  sponsor?: string;
  links?: { link: string; icon: unknown }[];
}

const hostOf = (link: string) => link.replace(/^https?:\/\/(www\.)?/, "").replace(/[/?].*/, "");

export function VPTeamMembers({ members = [] }: { members?: Member[]; size?: string }) {
  return (
    <ul className="card-grid">
      {members.map(({ name, title, org, orgLink, avatar, desc, sponsor, links = [] }) => (
        <li key={name}>
          {avatar ? <img src={avatar} alt="" width={64} height={64} loading="lazy" /> : null} <strong>{name}</strong>
          {title ? <> {title}</> : null}
          {org ? <> @ {orgLink ? <a href={orgLink}>{org}</a> : org}</> : null}
          {desc ? <p dangerouslySetInnerHTML={{ __html: desc }} /> : null}
          {[...links.map(({ link }) => link), ...(sponsor ? [sponsor] : [])].map((link) => (
            <a key={link} href={link} aria-label={`${name}, ${hostOf(link)}`}>
              {hostOf(link)}{" "}
            </a>
          ))}
        </li>
      ))}
    </ul>
  );
}

const slots = (names: string[]) =>
  function Slots(given: Record<string, ReactNode>) {
    return (
      <section>
        {names.map((name) => (
          <div key={name}>{given[name]}</div>
        ))}
      </section>
    );
  };
export const VPTeamPage = slots(["children"]);
export const VPTeamPageTitle = slots(["$slot_title", "$slot_lead", "children"]);
export const VPTeamPageSection = slots(["$slot_title", "$slot_lead", "$slot_members", "children"]);
