import { tokenize } from 'linkifyjs';

/** A message's text, of which web and mail addresses can be followed. All the rest is text, whatever it looks like. */
export function MessageText({ text }: { text: string }) {
  return tokenize(text).map((token, index) =>
    token.isLink ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes
      <a key={index} href={token.toHref('https')} target="_blank" rel="noopener noreferrer nofollow">
        {token.toString()}
      </a>
    ) : (
      token.toString()
    ),
  );
}
