import { Link } from 'react-router-dom';
import { challengePageAt } from '../challenge-in.ts';
import { partsOf } from '../links.ts';
import { punycodeHost } from '../punycode-host.ts';

function Address({ href, text }: { href: string; text: string }) {
  const page = challengePageAt(href, location.origin);
  if (page) return <Link to={page.path}>{text}</Link>;
  const host = punycodeHost(href);
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {text}
      {host && ` (${host})`}
    </a>
  );
}

/** A message's text with links for URLs and e-mail addresses. Everything else is plain text. */
export function MessageText({ text }: { text: string }) {
  return partsOf(text, location.origin).map((part, index) => {
    if (!part.href) return part.text;
    // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes
    return <Address key={index} href={part.href} text={part.text} />;
  });
}
