import { Button } from '@mantine/core';
import type { Challenge, PictureChoice as Choice, ChosenPicture, LogEntry } from '@wayquest/contracts';
import { useDispatch, useSelector } from 'react-redux';
import { selectUser } from '../../../entities/auth/slice.ts';
import { useLogTranslations } from '../../../entities/challenge-log/translations.ts';
import { challengeReceived } from '../../../entities/challenges/slice.ts';
import { useMutation } from '../../../shared/lib/use-mutation.ts';
import { useResource } from '../../../shared/lib/use-resource.ts';
import { ChoiceButtons } from '../../../shared/ui/ChoiceButtons.tsx';
import { FormError } from '../../../shared/ui/Message.tsx';
import classes from './Log.module.css';

/** The choice of a challenge's picture. */
export interface PictureChooser {
  chosen: ChosenPicture;
  error: string | null;
  choose(choice: Choice): void;
}

/** Returns the choice of a challenge's picture; undefined for others than its creator and admins. */
export function usePictureChooser(challenge: Challenge): PictureChooser | undefined {
  const dispatch = useDispatch();
  const user = useSelector(selectUser);
  const mayChoose = challenge.can?.edit || user?.admin;
  const params = { id: challenge.id };
  const { data: chosen, replace } = useResource('getChosenPicture', mayChoose ? { params } : null);
  const choosing = useMutation('choosePicture');
  if (!chosen) return undefined;
  return {
    chosen,
    error: choosing.error,
    choose: (choice) =>
      choosing.send({ params, body: { choice } }, (result) => {
        replace(result);
        const { picture: _, ...others } = challenge;
        dispatch(challengeReceived({ ...others, ...(result.picture && { picture: result.picture }) }));
      }),
  };
}

/** The picture of a challenge: the newest photo, a chosen one, or the drawing. */
export function PictureChoice({ of: { chosen, error, choose } }: { of: PictureChooser }) {
  const t = useLogTranslations();
  const { choice } = chosen;
  return (
    <div className={classes.picture}>
      <p aria-hidden>{t('picture')}</p>
      <ChoiceButtons
        label={t('picture')}
        choices={[
          { value: 'newest', label: t('newestPhoto') },
          ...(typeof choice === 'number' ? [{ value: 'photo' as const, label: t('chosenPhoto') }] : []),
          { value: 'none', label: t('drawing') },
        ]}
        chosen={typeof choice === 'number' ? 'photo' : choice}
        onChoose={(value) => value !== 'photo' && choose(value)}
      />
      <FormError>{error}</FormError>
    </div>
  );
}

/** The button that makes the photo of an entry the picture of the challenge. */
export function PictureButton({
  of: { chosen, choose },
  entry,
}: {
  of: PictureChooser;
  entry: Pick<LogEntry, 'id' | 'photo'>;
}) {
  const t = useLogTranslations();
  if (chosen.picture?.photo === entry.photo) return <p className={classes.isPicture}>{t('isPicture')}</p>;
  return (
    <Button className={classes.usePhoto ?? ''} variant="default" onClick={() => choose(entry.id)}>
      {t('usePhoto')}
    </Button>
  );
}
