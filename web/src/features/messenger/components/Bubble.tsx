import { Skeleton } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { memo, type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { ChallengeTeaser } from '../../../entities/challenges/ChallengeTeaser.tsx';
import { currentLanguage } from '../../../shared/i18n/catalogue.ts';
import { relativeTime } from '../../../shared/lib/time.ts';
import { useResource } from '../../../shared/lib/use-resource.ts';
import { challengeIn, challengePageAt, partsOf, punycodeHost } from '../links.ts';
import { useTranslations } from '../translations.ts';
import classes from './Bubble.module.css';
import mentionedChallengeClasses from './MentionedChallenge.module.css';

function Address({ href, text }: { href: string; text: string }) {
  const page = challengePageAt(href, location.origin);
  if (page) return <Link to={page.path}>{text}</Link>;
  const host = punycodeHost(href);
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {text}
      {host && ` (${host})`}
    </a>
  );
}

/** A message's text with links for URLs and e-mail addresses. Everything else is plain text. */
function MessageText({ text }: { text: string }) {
  return partsOf(text, location.origin).map((part, index) => {
    if (!part.href) return part.text;
    // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes
    return <Address key={index} href={part.href} text={part.text} />;
  });
}

/**
 * The challenge whose URL a message contains. It is loaded when it is near the viewport; a deleted one keeps its space,
 * so that nothing moves.
 */
function MentionedChallenge({ id }: { id: number }) {
  const t = useTranslations();
  const { ref, entry } = useIntersection();
  const [wasSeen, setSeen] = useState(false);
  if (entry?.isIntersecting && !wasSeen) setSeen(true);
  const { state, data } = useResource('getChallenge', wasSeen ? { params: { id } } : null);
  return (
    <div ref={ref} className={mentionedChallengeClasses.card}>
      {data && <ChallengeTeaser challenge={data} />}
      {state === 'failed' && <p className={mentionedChallengeClasses.gone}>{t('challengeGone')}</p>}
      {!data && state !== 'failed' && <Skeleton height={64} />}
    </div>
  );
}

interface Props {
  text: string;
  createdAt: string;
  now: number;
  /** For screen readers, since the side of the bubble shows it otherwise. */
  author: string;
  own: boolean;
  /** Whether the time is only for screen readers, since the next bubble shows the same. */
  isGrouped: boolean;
  state?: 'sending' | 'sent' | 'failed' | undefined;
  /** Its actions, beside its text. */
  action?: ReactNode;
  /** The state of sending it. */
  children?: ReactNode;
}

/** A message. Times are in the language of the page. */
export const Bubble = memo(function Bubble({
  text,
  createdAt,
  now,
  author,
  own,
  isGrouped,
  state,
  action,
  children,
}: Props) {
  const challengeId = challengeIn(text, location.origin);
  return (
    <article className={classes.bubble} aria-label={author} data-own={own || undefined} data-state={state}>
      <div className={classes.text}>
        <MessageText text={text} />
      </div>
      {action && <span className={classes.action}>{action}</span>}
      {challengeId && <MentionedChallenge id={challengeId} />}
      <footer className={classes.foot}>
        <time
          className={isGrouped ? classes.grouped : undefined}
          dateTime={createdAt}
          title={new Date(createdAt).toLocaleString(currentLanguage())}
        >
          {relativeTime(createdAt, now)}
        </time>
        {children}
      </footer>
    </article>
  );
});
