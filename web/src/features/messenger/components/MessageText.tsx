import { tokenize } from 'linkifyjs';
import { hostBehind } from '../host-behind.ts';

/** A message's text, of which web and mail addresses can be followed. All the rest is text, whatever it looks like. */
export function MessageText({ text }: { text: string }) {
  return tokenize(text).map((token, index) => {
    if (!token.isLink) return token.toString();
    const href = token.toHref('https');
    const host = hostBehind(href);
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes
      <a key={index} href={href} target="_blank" rel="noopener noreferrer nofollow">
        {token.toString()}
        {host && ` (${host})`}
      </a>
    );
  });
}
