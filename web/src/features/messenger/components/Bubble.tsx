import { memo, type ReactNode } from 'react';
import { currentLanguage } from '../../../shared/i18n/catalogue.ts';
import { relativeTime } from '../../../shared/lib/relative-time.ts';
import { challengeIn } from '../challenge-in.ts';
import classes from './Bubble.module.css';
import { MentionedChallenge } from './MentionedChallenge.tsx';
import { MessageText } from './MessageText.tsx';

interface Props {
  text: string;
  createdAt: string;
  now: number;
  /** For screen readers, since the side of the bubble shows it otherwise. */
  author: string;
  own: boolean;
  state?: 'sending' | 'sent' | 'failed' | undefined;
  /** The state of sending it. */
  children?: ReactNode;
}

/** A message. Times are in the language of the page. */
export const Bubble = memo(function Bubble({ text, createdAt, now, author, own, state, children }: Props) {
  const challengeId = challengeIn(text, location.origin);
  return (
    <article className={classes.bubble} aria-label={author} data-own={own || undefined} data-state={state}>
      <div className={classes.text}>
        <MessageText text={text} />
      </div>
      {challengeId && <MentionedChallenge id={challengeId} />}
      <footer className={classes.foot}>
        <time dateTime={createdAt} title={new Date(createdAt).toLocaleString(currentLanguage())}>
          {relativeTime(createdAt, now)}
        </time>
        {children}
      </footer>
    </article>
  );
});
