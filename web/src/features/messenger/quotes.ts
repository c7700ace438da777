import { truncateText } from '@wayquest/contracts';

/** Maximum length of a quoted text, so that the preview in the list shows some of the answer. */
const maxQuoteLength = 80;

const mark = '> ';

interface QuotedText {
  /** Empty if the text begins with no quote. */
  quote: string;
  text: string;
}

/** Splits the quote that a text begins with from the rest, as in mails: its lines begin with `>`. */
export function splitQuote(text: string): QuotedText {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !line.startsWith(mark));
  const count = end === -1 ? lines.length : end;
  return {
    quote: lines
      .slice(0, count)
      .map((line) => line.slice(mark.length))
      .join('\n'),
    text: lines.slice(count).join('\n'),
  };
}

/**
 * Begins an answer.
 *
 * @param text - The message that is answered; what it quotes itself is left out.
 * @param draft - What has been written already; its quote is replaced.
 */
export function quoteBefore(text: string, draft: string): string {
  const { text: own } = splitQuote(text);
  const quote = truncateText((own || text).trim(), maxQuoteLength, '…');
  const marked = quote.split('\n').map((line) => `${mark}${line}`);
  return [...marked, splitQuote(draft).text].join('\n');
}
