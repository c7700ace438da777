import { Button, FileButton } from '@mantine/core';
import { IconCamera, IconHome, IconMail, IconUser } from '@tabler/icons-react';
import type { Me } from '@wayquest/contracts';
import { type ReactNode, useEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useAwardSentence } from '../../../entities/participations/award-sentence.ts';
import type { CompletionResult } from '../../../entities/participations/slice.ts';
import { FormError } from '../../../shared/ui/Message.tsx';
import { PageTitle } from '../../../shared/ui/Page.tsx';
import { UserAvatar } from '../../../shared/ui/UserAvatar.tsx';
import { pictureChosen, profileOpened, selectPicture } from '../slice.ts';
import { useTranslations } from '../translations.ts';
import classes from './ProfileCard.module.css';

/** The points of the challenge that was just completed. */
function PointsEarned({ from, to, award }: CompletionResult) {
  const t = useTranslations();
  const sentence = useAwardSentence(award);
  const earned = to - from;
  return (
    <p className={classes.earned} role="status">
      {sentence ?? (earned > 0 ? t('earned', { count: earned }) : t('earnedBefore'))}
    </p>
  );
}

/** Uploads a picture, cropped to a square. Shows the result beside the button. */
function PictureButton() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const { state, error } = useSelector(selectPicture);
  const resetChoice = useRef<() => void>(null);
  return (
    <>
      <FileButton
        accept="image/jpeg,image/png,image/webp"
        resetRef={resetChoice}
        onChange={(file) => {
          // The same file can be chosen again, as after a failed upload.
          resetChoice.current?.();
          if (file) dispatch(pictureChosen(file));
        }}
      >
        {(props) => (
          <Button
            {...props}
            variant="default"
            leftSection={<IconCamera size={18} aria-hidden />}
            loading={state === 'loading'}
          >
            {t('changePicture')}
          </Button>
        )}
      </FileButton>
      <p className={classes.chosen} role="status">
        {state === 'ready' && t('pictureChanged')}
      </p>
      <FormError>{error}</FormError>
    </>
  );
}

interface Props {
  user: Me;
  celebration: CompletionResult | null;
  /** What the person can do with it. */
  children: ReactNode;
}

/** The person's profile with their points. */
export function ProfileCard({ user, celebration, children }: Props) {
  const t = useTranslations();
  const dispatch = useDispatch();
  useEffect(() => {
    dispatch(profileOpened());
  }, [dispatch]);
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ');
  const place = [user.city, [user.state, user.zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  const home = [user.streetAddress, place].filter(Boolean);
  return (
    <section className={classes.card} aria-label={t('yours')}>
      <div className={classes.picture}>
        <UserAvatar user={user} size={112} />
        <PictureButton />
      </div>
      <div className={classes.words}>
        <PageTitle tab={t('tab')}>{user.username}</PageTitle>
        <p className={classes.points}>{t('points', { count: user.points })}</p>
        {celebration && <PointsEarned {...celebration} />}
        <ul className={classes.facts}>
          {name && (
            <li>
              <IconUser size={20} stroke={1.75} aria-hidden />
              {name}
            </li>
          )}
          {user.email && (
            <li>
              <IconMail size={20} stroke={1.75} aria-hidden />
              {user.email}
            </li>
          )}
          {home.length > 0 && (
            <li>
              <IconHome size={20} stroke={1.75} aria-hidden />
              <span>
                {home.map((line) => (
                  <span key={line} className={classes.line}>
                    {line}
                  </span>
                ))}
              </span>
            </li>
          )}
        </ul>
        <div className={classes.actions}>{children}</div>
      </div>
    </section>
  );
}
