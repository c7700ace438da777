import { Skeleton } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { useState } from 'react';
import { ChallengeTeaser } from '../../../entities/challenges/ChallengeTeaser.tsx';
import { useAsked } from '../../../shared/lib/use-asked.ts';
import classes from './MentionedChallenge.module.css';

/** The challenge that a message has the address of. Asked for when it comes into view; one that is gone is only its address. */
export function MentionedChallenge({ id }: { id: number }) {
  const { ref, entry } = useIntersection();
  const [wasSeen, setSeen] = useState(false);
  if (entry?.isIntersecting && !wasSeen) setSeen(true);
  const { state, answer } = useAsked(wasSeen ? String(id) : null, (client) =>
    client.getChallenge({ params: { id: String(id) } }),
  );
  if (state === 'failed') return null;
  return (
    <div ref={ref} className={classes.card}>
      {answer ? <ChallengeTeaser challenge={answer} /> : <Skeleton height={64} />}
    </div>
  );
}
