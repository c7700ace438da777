/**
 * Returns the ASCII form (Punycode) of a link's host if it contains other characters, some of which look like different
 * ones.
 */
export function punycodeHost(href: string): string | undefined {
  const address = href.replace(/^mailto:[^@]*@/, 'https://');
  if (!URL.canParse(address)) return undefined;
  const { hostname } = new URL(address);
  return hostname.split('.').some((label) => label.startsWith('xn--')) ? hostname : undefined;
}
