import { Skeleton } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { useState } from 'react';
import { ChallengeTeaser } from '../../../entities/challenges/ChallengeTeaser.tsx';
import { useQuery } from '../../../shared/lib/use-query.ts';
import { useTranslations } from '../translations.ts';
import classes from './MentionedChallenge.module.css';

/**
 * The challenge whose URL a message contains. It is loaded when it is near the viewport; a deleted one keeps its space,
 * so that nothing moves.
 */
export function MentionedChallenge({ id }: { id: number }) {
  const t = useTranslations();
  const { ref, entry } = useIntersection();
  const [wasSeen, setSeen] = useState(false);
  if (entry?.isIntersecting && !wasSeen) setSeen(true);
  const { state, data } = useQuery(wasSeen ? String(id) : null, (client) =>
    client.getChallenge({ params: { id: String(id) } }),
  );
  return (
    <div ref={ref} className={classes.card}>
      {data && <ChallengeTeaser challenge={data} />}
      {state === 'failed' && <p className={classes.gone}>{t('challengeGone')}</p>}
      {!data && state !== 'failed' && <Skeleton height={64} />}
    </div>
  );
}
