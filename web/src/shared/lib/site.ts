/** What a page says about the installation: the gateway puts it there. Nothing where there is no page, as in tests. */
const metaContent = (selector: string) =>
  typeof document === 'undefined' ? undefined : document.querySelector<HTMLMetaElement>(selector)?.content;

/** What this installation is called. */
export let siteName = metaContent('[property="og:site_name"]') ?? 'Wayquest';

/** The path of the operator's logo; undefined without one. */
export const logoPath = metaContent('[name="logo"]');

/** Names the installation where there is no page yet: prerendered ones contain a placeholder. */
export function nameSite(name: string): void {
  siteName = name;
}

/** A page that the operator wrote; its title is in the language `lang`. */
interface SitePageLink {
  name: string;
  title: string;
  lang: string;
}

/** The pages that the operator wrote, by the reader's language. */
export const sitePages: Record<string, SitePageLink[]> = JSON.parse(metaContent('[name="pages"]') ?? '{}');
