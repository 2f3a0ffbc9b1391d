import type { FooterColumnData, FooterData } from "../payload.gen";
import { Anchor } from "../ui/Anchor";
import { LogoImage } from "../ui/Brand";
import { BrandIcon, isBrandIcon, ItemIcon } from "../ui/Icon";
import { word } from "../ui/words";

/** The end of every page: columns of links, logo, copyright. */
export function Footer({ footer }: { footer: FooterData }) {
  return (
    <div className="footer-inner">
      {footer.columns.length > 0 && (
        <div className="footer-columns">
          {footer.columns.map((column) => (
            <Column key={column.title} column={column} />
          ))}
        </div>
      )}
      <div className="footer-end">
        {footer.logo !== null && (
          <Anchor className="footer-logo" href={footer.logo.href}>
            <LogoImage logo={footer.logo} size={24} isSquare={false} />
          </Anchor>
        )}
        {footer.copyright !== "" && <p>{footer.copyright}</p>}
        <button type="button" className="keys-button" data-intent="" aria-haspopup="dialog">
          {word("keys.title")}
        </button>
      </div>
    </div>
  );
}

function Column({ column }: { column: FooterColumnData }) {
  return (
    <div>
      <p className="footer-title">{column.title}</p>
      <ul>
        {column.items.map((item) => (
          <li key={item.href}>
            <Anchor href={item.href} marksExternal>
              {isBrandIcon(item.icon) ? (
                <span className="item-icon">
                  <BrandIcon name={item.icon} />
                </span>
              ) : (
                <ItemIcon svg={item.icon} />
              )}
              {item.label}
            </Anchor>
          </li>
        ))}
      </ul>
    </div>
  );
}
