import { Skeleton, UnstyledButton } from '@mantine/core';
import { useIntersection, useLongPress } from '@mantine/hooks';
import { IconDots } from '@tabler/icons-react';
import { memo, type ReactNode, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { ChallengeTeaser } from '../../../entities/challenges/ChallengeTeaser.tsx';
import { languageOf } from '../../../shared/i18n/text-language.ts';
import { formatTime } from '../../../shared/lib/moments.ts';
import { relativeTime } from '../../../shared/lib/time.ts';
import { useResource } from '../../../shared/lib/use-resource.ts';
import { challengeIn, challengePageAt, partsOf, punycodeHost } from '../links.ts';
import { splitQuote } from '../quotes.ts';
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

/** A text with links for URLs and e-mail addresses. Everything else is plain text. */
function LinkedText({ text }: { text: string }) {
  return partsOf(text, location.origin).map((part, index) => {
    if (!part.href) return part.text;
    // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes
    return <Address key={index} href={part.href} text={part.text} />;
  });
}

/** A message's text, with the quote that it answers. */
function MessageText({ text }: { text: string }) {
  const { quote, text: rest } = splitQuote(text);
  return (
    <>
      {quote && (
        <blockquote className={classes.quote}>
          <LinkedText text={quote} />
        </blockquote>
      )}
      <LinkedText text={rest} />
    </>
  );
}

/** How far a finger may move during a long press, in pixels: further, it scrolls. */
const pressTolerance = 10;

/**
 * The text, and the button of its menu, which a long press on the text opens as well. The button is shown while the pointer or
 * the focus is on the message.
 */
function TextWithMenu({ text, onMenu }: { text: string; onMenu: (opener: HTMLElement) => void }) {
  const t = useTranslations();
  const button = useRef<HTMLButtonElement>(null);
  const press = useLongPress(
    ({ target }) => {
      // The browser has a menu for links.
      if (!button.current || (target instanceof Element && target.closest('a'))) return;
      button.current.focus({ preventScroll: true });
      onMenu(button.current);
    },
    {
      events: ['touch'],
      cancelOnMove: pressTolerance,
      // Lifting the finger would be a tap beside the menu, which closes it.
      onFinish: (event) => event.preventDefault(),
    },
  );
  return (
    <>
      <div className={classes.text} lang={languageOf(text)} {...press}>
        <MessageText text={text} />
      </div>
      <UnstyledButton
        ref={button}
        className={classes.more}
        aria-label={t('actions')}
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => onMenu(currentTarget)}
      >
        <IconDots size={20} aria-hidden />
      </UnstyledButton>
    </>
  );
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
  /** Whether its text is a sentence about its absence. */
  isGone?: boolean;
  /** Opens the menu of a saved message beside a button; the message is passed back, so that the function can stay the same. */
  onMenu?: ((messageId: number, opener: HTMLElement) => void) | undefined;
  messageId?: number;
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
  isGone = false,
  onMenu,
  messageId,
  children,
}: Props) {
  const challengeId = challengeIn(splitQuote(text).text, location.origin);
  return (
    <article className={classes.bubble} aria-label={author} data-own={own || undefined} data-state={state}>
      {onMenu && messageId && !isGone ? (
        <TextWithMenu text={text} onMenu={(opener) => onMenu(messageId, opener)} />
      ) : (
        <div
          className={classes.text}
          data-gone={isGone || undefined}
          lang={isGone ? undefined : languageOf(text)}
        >
          {isGone ? text : <MessageText text={text} />}
        </div>
      )}
      {challengeId && <MentionedChallenge id={challengeId} />}
      <footer className={classes.foot}>
        <time
          className={isGrouped ? classes.grouped : undefined}
          dateTime={createdAt}
          title={formatTime(createdAt)}
        >
          {relativeTime(createdAt, now)}
        </time>
        {children}
      </footer>
    </article>
  );
});
