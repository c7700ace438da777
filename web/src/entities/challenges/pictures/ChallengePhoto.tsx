import type { ChallengeDetails } from '@wayquest/contracts';
import { type ReactNode, useState } from 'react';
import { nameOf } from '../texts.ts';
import { useChallengeTranslations } from '../translations.ts';
import classes from './ChallengePhoto.module.css';

interface Props {
  challenge: ChallengeDetails;
  /** Sharp on a whole page's width; otherwise as large as a card. */
  wide?: boolean;
  /** Shown instead if it has no photo, or the photo is gone or cannot be loaded. */
  children?: ReactNode;
}

/** The photo that is a challenge's picture. It fills its container, which has the size. */
export function ChallengePhoto({ challenge, wide = false, children = null }: Props) {
  const t = useChallengeTranslations();
  const photo = challenge.picture?.photo;
  const [failed, setFailed] = useState<string>();
  if (!photo || failed === photo) return children;
  const url = `/api/challenges/${challenge.id}/pictures/${photo}`;
  const card = `${url}?size=card`;
  return (
    <img
      key={photo}
      className={classes.photo}
      alt={t('photoOf', { name: nameOf(challenge) })}
      loading="lazy"
      decoding="async"
      width={640}
      height={400}
      {...(wide && { srcSet: `${card} 640w, ${url} 1280w`, sizes: 'min(100vw, 1120px)' })}
      src={card}
      onError={() => setFailed(photo)}
    />
  );
}
