import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fillInChinese, type SiteLanguage } from '@wayquest/contracts';
import type { Site } from '@wayquest/platform/settings';
import { brandShades } from './accent.ts';
import { escapeHtml } from './escape.ts';

const homeLinkText: Record<SiteLanguage, string> = { en: 'Go to home page', zh: '回到首页' };

/** Sentence per status code, or per class (400, 500). `{site}` is the name of the installation. */
const sentences: Record<number, Record<SiteLanguage, string>> = {
  400: { en: 'This address is not valid.', zh: '这个地址无效。' },
  404: { en: 'Page not found.', zh: '没有找到这个页面。' },
  429: {
    en: 'Too many requests. Please wait a moment and try again.',
    zh: '请求太多了，请稍后再试。',
  },
  500: {
    en: '{site} is temporarily unavailable. Please try again in a moment.',
    zh: '{site} 暂时无法使用，请稍后再试。',
  },
};

const sentenceFor = (status: number, language: SiteLanguage): string =>
  (sentences[status] ?? sentences[status < 500 ? 400 : 500])?.[language] ?? '';

const styleIn = (shades: readonly string[]) => `
  :root { color-scheme: light dark; font: 1rem/1.55 system-ui, sans-serif; }
  body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 1rem; text-align: center; }
  body { background: light-dark(#fffdf9, #17141d); color: light-dark(#241c2e, #efe9f6); }
  a { color: light-dark(${shades[6]}, ${shades[3]}); display: inline-block; padding: 0.75rem; }
`;

/** The language that the browser prefers, of the two that the page has. */
function languageOf({ headers }: IncomingMessage, fallback: SiteLanguage): SiteLanguage {
  const accepted = headers['accept-language'] ?? '';
  if (!/(^|,)\s*(en|zh)/i.test(accepted)) return fallback;
  return /(^|,)\s*zh/i.test(accepted) && !/^\s*en/i.test(accepted) ? 'zh' : 'en';
}

/** Puts the name of the installation into a sentence. */
const withName = (sentence: string, name: string, language: SiteLanguage) =>
  language === 'zh' ? fillInChinese(sentence, () => name) : sentence.replace('{site}', () => name);

/** Whether a browser navigates to this URL, so that a person sees the response. */
export const isNavigation = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  (headers['sec-fetch-mode'] === 'navigate' || (headers.accept ?? '').trim().startsWith('text/html'));

/**
 * Writes an error as a page with a way back, instead of problem+json.
 *
 * @param response - Its status is set; other headers are kept.
 * @param status - 4xx or 5xx.
 * @param requestId - Shown for a report of what went wrong.
 * @param site - Its name is in the page, and its language is that of a browser which asks for no other.
 * @param shades - Of the operator's color.
 */
export function writeErrorPage(
  request: IncomingMessage,
  response: ServerResponse,
  {
    status,
    requestId,
    site,
    shades = brandShades,
  }: { status: number; requestId: string; site: Site; shades?: readonly string[] | undefined },
): void {
  const language = languageOf(request, site.language);
  const sentence = escapeHtml(withName(sentenceFor(status, language), site.name, language));
  const nonce = randomBytes(16).toString('base64');
  response.statusCode = status;
  response.setHeader('cache-control', 'no-store');
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.setHeader('vary', 'accept, accept-language');
  response.setHeader(
    'content-security-policy',
    `default-src 'none'; style-src 'nonce-${nonce}'; frame-ancestors 'none'`,
  );
  response.end(`<!doctype html>
<html lang="${language === 'zh' ? 'zh-Hans' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${sentence} · ${escapeHtml(site.name)}</title>
<style nonce="${nonce}">${styleIn(shades)}</style>
</head>
<body>
<main>
<h1>${sentence}</h1>
<p><a href="/home">${homeLinkText[language]}</a></p>
<p><small>${requestId}</small></p>
</main>
</body>
</html>
`);
}
