import { useEffect } from "react";
import type { AnnouncementData } from "../../payload.gen";
import { Icon } from "../../ui/Icon";
import { readStored, writeStored } from "../../ui/storage";
import { announcementKey } from "./memory";

/** Bars above the top bar. A closed one is hidden by the root's `data-dismissed`, which stands before the first paint. */
export function Announcements({ items }: { items: readonly AnnouncementData[] }) {
  return (
    <>
      {items.map((item, index) => (
        <Announcement key={item.id} item={item} index={index} />
      ))}
    </>
  );
}

function Announcement({ item, index }: { item: AnnouncementData; index: number }) {
  useEffect(() => {
    const key = announcementKey("id", index, item.id);
    if (readStored(key) === item.id) return;
    writeStored(key, item.id);
    writeStored(announcementKey("dismiss", index, item.id), "false");
  }, [item.id, index]);

  const dismiss = (): void => {
    writeStored(announcementKey("dismiss", index, item.id), "true");
    const root = document.documentElement;
    root.dataset.dismissed = `${root.dataset.dismissed ?? ""} ${index}`.trim();
  };

  return (
    <section
      className="announcement"
      aria-label={index === 0 ? "Announcement" : `Announcement ${index + 1}`}
      data-announcement={index}
    >
      <div className="announcement-text" dangerouslySetInnerHTML={{ __html: item.html }} />
      {item.isCloseable && (
        <button type="button" className="icon-button" aria-label="Close" data-intent="" onClick={dismiss}>
          <Icon name="close" />
        </button>
      )}
    </section>
  );
}
