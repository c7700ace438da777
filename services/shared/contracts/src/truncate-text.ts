/**
 * Shortens a text for a preview, so that it ends with a whole character as a reader sees it: an emoji of several code
 * points, or a letter with its accents, is kept or left out as one.
 *
 * @param text - Any text.
 * @param maxLength - How long the result may be, in UTF-16 code units as `String.length` counts, ending included.
 * @param ending - What a shortened text ends with, such as `…`.
 * @returns The text itself where it is short enough.
 */
export function truncateText(text: string, maxLength: number, ending = ''): string {
  if (text.length <= maxLength) return text;
  // Created lazily: older browsers lack Intl.Segmenter and never get here.
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const room = maxLength - ending.length;
  let end = 0;
  for (const { index, segment } of segmenter.segment(text)) {
    if (index + segment.length > room) break;
    end = index + segment.length;
  }
  return text.slice(0, end).trimEnd() + ending;
}
