interface Player {
  id?: string;
  videoId?: string;
  videoid?: string;
  url?: string;
  src?: string;
  title?: string;
  className?: string;
}

const YOUTUBE = /(?:^|youtu\.be\/|[?&]v=|\/embed\/|\/shorts\/|\/live\/)([\w-]{11})(?:[?&#/].*)?$/;
const VIMEO = /vimeo\.com\/(?:video\/)?(\d+)/;

/** A video of YouTube or Vimeo in its frame, or one of the site. */
export default function Player({ id, videoId, videoid, url, src, title, className }: Player) {
  const given = url ?? src ?? videoId ?? videoid ?? id ?? "";
  const vimeo = VIMEO.exec(given)?.[1];
  const youtube = YOUTUBE.exec(given)?.[1];
  const frame = vimeo ? `https://player.vimeo.com/video/${vimeo}` : youtube ? `https://www.youtube-nocookie.com/embed/${youtube}` : "";
  if (!frame) return given ? <video src={given} className={className} controls /> : null;
  return <iframe src={frame} title={title ?? (vimeo ? "Video on Vimeo" : "Video on YouTube")} className={className} loading="lazy" allowFullScreen />;
}
export { Player as YouTube, Player as ReactPlayer };
