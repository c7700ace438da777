/** What this installation is called. The gateway puts it into every page; tests without a page have the default. */
export let siteName =
  typeof document === 'undefined'
    ? 'Wayquest'
    : (document.querySelector<HTMLMetaElement>('[property="og:site_name"]')?.content ?? 'Wayquest');

/** Names the installation where there is no page: the prerendered ones contain a placeholder. */
export function nameSite(name: string): void {
  siteName = name;
}
