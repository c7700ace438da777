import { Skeleton, VisuallyHidden } from '@mantine/core';
import { type SitePageBlock, type SitePageText, sitePageNames } from '@wayquest/contracts';
import { Link, matchPath, Navigate, useLocation } from 'react-router-dom';
import { currentLanguage } from '../../../shared/i18n/catalogue.ts';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { siteName, sitePages } from '../../../shared/lib/site.ts';
import { useResource } from '../../../shared/lib/use-resource.ts';
import { Loaded } from '../../../shared/ui/Loaded.tsx';
import { Page, PageTitle } from '../../../shared/ui/Page.tsx';
import { Pending } from '../../../shared/ui/Pending.tsx';
import classes from './SitePage.module.css';

function Content({ of: text }: { of: SitePageText }) {
  return text.map((part, index) => {
    if (typeof part === 'string') return part;
    const { text: shown, href } = part;
    return href.startsWith('/') ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes
      <Link key={index} to={href}>
        {shown}
      </Link>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes
      <a key={index} href={href} rel="noopener noreferrer">
        {shown}
      </a>
    );
  });
}

function Block({ block }: { block: SitePageBlock }) {
  if (block.kind === 'list') {
    const items = block.items.map((item, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes
      <li key={index}>
        <Content of={item} />
      </li>
    ));
    return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
  }
  const Tag = block.kind === 'paragraph' ? 'p' : block.level === 2 ? 'h2' : 'h3';
  return (
    <Tag>
      <Content of={block.text} />
    </Tag>
  );
}

const skeleton = (
  <>
    <Skeleton height={18} width="90%" mb={12} />
    <Skeleton height={18} width="80%" mb={12} />
    <Skeleton height={18} width="60%" />
  </>
);

/** A page that the operator wrote: their rules, privacy notice, imprint or contact. */
export default function SitePage() {
  // Rendered again when the language changes.
  useCommonTranslations();
  const { pathname } = useLocation();
  const language = currentLanguage();
  const name = sitePageNames.find((each) => matchPath(`/${each}`, pathname));
  const link = sitePages[language]?.find((each) => each.name === name);
  const page = useResource('getSitePage', name && link ? { params: { name }, query: { language } } : null);
  // The build does not know which pages there will be.
  if (import.meta.env.SSR)
    return (
      <Page width="medium">
        <VisuallyHidden component="h1">{siteName}</VisuallyHidden>
        <Pending>{skeleton}</Pending>
      </Page>
    );
  if (!link) return <Navigate to="/home" replace />;
  return (
    <Page width="medium">
      <div lang={link.lang} className={classes.text}>
        {/* Another page at another address. */}
        <PageTitle key={name}>{link.title}</PageTitle>
        <Loaded of={page} pending={skeleton}>
          {({ blocks }) =>
            blocks.map((block, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes
              <Block key={index} block={block} />
            ))
          }
        </Loaded>
      </div>
    </Page>
  );
}
