import '@mantine/core/styles/Input.layer.css';
import { Button } from '@mantine/core';
import { IconCurrentLocation } from '@tabler/icons-react';
import type { PlaceCategory, Position } from '@wayquest/contracts';
import { type FormEvent, useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { usePersistedFields } from '../../../entities/auth/form-draft.ts';
import { userReceived } from '../../../entities/auth/slice.ts';
import { usePlaceCategoryTranslations } from '../../../entities/challenges/place-category-translations.ts';
import type { SearchLocation } from '../../../entities/challenges/search-location.ts';
import { TownField } from '../../../entities/challenges/TownField.tsx';
import { useMutation } from '../../../shared/lib/use-mutation.ts';
import { FormError } from '../../../shared/ui/Message.tsx';
import { SubmitButton } from '../../../shared/ui/SubmitButton.tsx';
import { useKnownPosition, useNearMe } from '../../../shared/ui/use-position.ts';
import { type Interest, interests } from '../interests.ts';
import { readAnswers, storeAnswers, type WelcomeAnswers } from '../welcome-answers.ts';
import { useWelcomeTranslations } from '../welcome-translations.ts';
import { FirstThreeStep } from './FirstThreeStep.tsx';
import { Step } from './Step.tsx';
import classes from './Welcome.module.css';

function Where({ onKnown }: { onKnown(where: SearchLocation): void }) {
  const t = useWelcomeTranslations();
  const dispatch = useDispatch();
  const [{ town }, write] = usePersistedFields('town', { town: '' });
  const { request, isRequesting, failure } = useNearMe((position) => onKnown({ position }));
  const saving = useMutation('updateMe');
  /** Saves the town in the profile, and shows what is near it. */
  const save = (address: { city: string; state?: string }, searchText = address.city) =>
    saving.send({ body: address }, (me) => {
      write({ town: '' });
      dispatch(userReceived(me));
      onKnown({ town: searchText });
    });
  const submitTown = (event: FormEvent) => {
    event.preventDefault();
    save({ city: town.trim() });
  };
  return (
    <Step title={t('where')}>
      <p>{t('whereDescription')}</p>
      <div className={classes.row}>
        <div className={classes.here}>
          <p>{t('notStored')}</p>
          <Button
            leftSection={<IconCurrentLocation size={18} aria-hidden />}
            loading={isRequesting}
            onClick={request}
          >
            {t('here')}
          </Button>
        </div>
        <form className={classes.town} onSubmit={submitTown}>
          <TownField
            className={classes.townField ?? ''}
            label={t('town')}
            description={t('townHint')}
            text={town}
            onChange={(text) => write({ town: text })}
            onChoose={({ city, name, state }, label) => {
              write({ town: label });
              save({ city: city || name, state }, label);
              return label;
            }}
          />
          <SubmitButton
            variant="default"
            loading={saving.state === 'loading'}
            needed={town.trim() ? [] : [t('aTown')]}
          >
            {t('thisTown')}
          </SubmitButton>
        </form>
      </div>
      <FormError>
        {saving.error ?? (failure && t(failure === 'denied' ? 'positionDenied' : 'positionFailed'))}
      </FormError>
      <Button variant="subtle" onClick={() => onKnown(null)}>
        {t('skip')}
      </Button>
    </Step>
  );
}

function InterestsStep({ onChosen }: { onChosen(liked: PlaceCategory[]): void }) {
  const t = useWelcomeTranslations();
  const kinds = usePlaceCategoryTranslations();
  const [liked, setLiked] = useState<Interest[]>([]);
  const toggle = (liking: Interest) =>
    setLiked(liked.includes(liking) ? liked.filter((each) => each !== liking) : [...liked, liking]);
  return (
    <Step title={t('interests')} takesFocus>
      <ul className={classes.kinds}>
        {interests.map((liking) => (
          <li key={liking.name}>
            <Button
              variant={liked.includes(liking) ? 'filled' : 'default'}
              aria-pressed={liked.includes(liking)}
              onClick={() => toggle(liking)}
            >
              {kinds(liking.name)}
            </Button>
          </li>
        ))}
      </ul>
      <div className={classes.row}>
        <Button
          onClick={() =>
            onChosen(liked.flatMap(({ placeCategories }): readonly PlaceCategory[] => placeCategories))
          }
        >
          {t('show')}
        </Button>
      </div>
    </Step>
  );
}

interface Props {
  userId: number;
  onDone(): void;
}

/** The welcome of a new member: where they are, what they like, and three challenges. */
export default function Welcome({ userId, onDone }: Props) {
  const [{ where, liked }, setAnswered] = useState<WelcomeAnswers>(() => readAnswers(userId) ?? {});
  const [located, setLocated] = useState<Position>();
  const known = useKnownPosition();
  useEffect(
    () => storeAnswers(userId, { ...(where !== undefined && { where }), ...(liked && { liked }) }),
    [userId, where, liked],
  );
  const answerWhere = (whereabouts: SearchLocation) => {
    const isHere = whereabouts !== null && 'position' in whereabouts;
    if (isHere) setLocated(whereabouts.position);
    setAnswered({ where: isHere ? 'here' : whereabouts });
  };
  if (where === undefined) return <Where onKnown={answerWhere} />;
  if (!liked) return <InterestsStep onChosen={(chosen) => setAnswered({ where, liked: chosen })} />;
  const position = located ?? known;
  const here = position ? { position } : position;
  return <FirstThreeStep where={where === 'here' ? here : where} liked={liked} onDone={onDone} />;
}
