import { useEffect, useState } from "react";
import type { AnnouncementData } from "../../payload.gen";
import { Icon } from "../../ui/Icon";
import { readStored, writeStored } from "../../ui/storage";
import { announcementKey } from "./memory";
import { word } from "../../ui/words";

/** Bars above the top bar. One that was closed on an earlier visit the inline script hides before the first paint. */
export function Announcements({ items, places }: AnnouncementsProps) {
  return (
    <>
      {items.map((item, index) =>
        places.includes(index) ? <Announcement key={item.id} item={item} index={index} /> : null,
      )}
    </>
  );
}

interface AnnouncementsProps {
  /** All of the site. */
  items: readonly AnnouncementData[];
  /** Places of those that this page has. */
  places: readonly number[];
}

function Announcement({ item, index }: { item: AnnouncementData; index: number }) {
  const [isClosed, setIsClosed] = useState(false);
  useEffect(() => {
    const key = announcementKey("id", index, item.id);
    if (readStored(key) === item.id) return;
    writeStored(key, item.id);
    writeStored(announcementKey("dismiss", index, item.id), "false");
  }, [item.id, index]);

  const dismiss = (): void => {
    writeStored(announcementKey("dismiss", index, item.id), "true");
    setIsClosed(true);
  };

  return (
    <section
      className="announcement"
      aria-label={index === 0 ? word("announcement") : word("announcement.number", { number: index + 1 })}
      data-announcement={index}
      hidden={isClosed}
    >
      <div className="announcement-text" dangerouslySetInnerHTML={{ __html: item.html }} />
      {item.isCloseable && (
        <button type="button" className="icon-button" aria-label={word("close")} data-intent="" onClick={dismiss}>
          <Icon name="close" />
        </button>
      )}
    </section>
  );
}
