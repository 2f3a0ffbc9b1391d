import type { CardData, CardListProps } from "../payload.gen";
import { isExternal } from "../ui/Anchor";
import { ItemIcon } from "../ui/Icon";
import { countedWord } from "../ui/words";

/** Cards that lead to pages; needs no script. */
export function CardList({ items }: CardListProps) {
  return (
    <ul className="card-list">
      {items.map((card) => (
        <Card key={card.href} card={card} />
      ))}
    </ul>
  );
}

function Card({ card }: { card: CardData }) {
  return (
    <li className={`card card-${card.kind}`}>
      <h2>
        <a href={card.href} {...(isExternal(card.href) && { target: "_blank", rel: "noopener noreferrer" })}>
          <ItemIcon svg={card.icon} />
          {card.label}
        </a>
      </h2>
      {card.description !== "" && <p>{card.description}</p>}
      {card.count > 0 && <p>{countedWord("category.items", card.count)}</p>}
    </li>
  );
}
