/**
 * Where a link really leads, if its host has letters beyond ASCII, of which some look like others: the name as name servers
 * know it, which nobody takes for another.
 */
export function punycodeHost(href: string): string | undefined {
  const address = href.replace(/^mailto:[^@]*@/, 'https://');
  if (!URL.canParse(address)) return undefined;
  const { hostname } = new URL(address);
  return hostname.split('.').some((label) => label.startsWith('xn--')) ? hostname : undefined;
}
