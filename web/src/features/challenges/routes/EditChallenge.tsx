import '@mantine/core/styles/Input.layer.css';
import { Button, Group, Paper, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type Challenge, type ChallengeDetails, localDate } from '@wayquest/contracts';
import { useDispatch } from 'react-redux';
import { Link, Navigate, useNavigate, useParams } from 'react-router-dom';
import { usePersistedForm } from '../../../entities/auth/form-draft.ts';
import { ChallengeOptions } from '../../../entities/challenges/ChallengeOptions.tsx';
import { phaseOf } from '../../../entities/challenges/dates.ts';
import { sentFieldsOf } from '../../../entities/challenges/editable-fields.ts';
import { challengeDeleted, challengeReceived } from '../../../entities/challenges/slice.ts';
import { translateChallenge } from '../../../entities/challenges/translations.ts';
import { dayMs } from '../../../shared/lib/days.ts';
import { readId } from '../../../shared/lib/query-params.ts';
import { serverNow } from '../../../shared/lib/server-time.ts';
import { useMutation } from '../../../shared/lib/use-mutation.ts';
import { noticed } from '../../../shared/notice/notice-slice.ts';
import { FormError } from '../../../shared/ui/Message.tsx';
import { PageTitle } from '../../../shared/ui/Page.tsx';
import { SubmitButton } from '../../../shared/ui/SubmitButton.tsx';
import { ChallengeFields, useNeeded } from '../components/ChallengeFields.tsx';
import { ChallengeLoader } from '../components/ChallengeLoader.tsx';
import { DeleteButton } from '../components/DeleteButton.tsx';
import classes from '../components/EditForm.module.css';
import newChallenge from '../components/NewChallenge.module.css';
import { type ChallengeForm, formOf, missingOwnFields } from '../form.ts';
import { useTranslations } from '../translations.ts';

/** The changes that are sent: all fields that a creator can change. */
const changesOf = (fields: ChallengeForm | Challenge) => ({
  ...sentFieldsOf(fields),
  points: fields.points,
});

/** Returns the dates of a closed challenge: it ended yesterday, in its time zone. */
function closedDates(
  { startDate, timeZone }: Pick<ChallengeDetails, 'startDate' | 'timeZone'>,
  now = new Date(serverNow()),
) {
  const endDate = new Date(Date.parse(localDate(timeZone, now)) - dayMs).toISOString().slice(0, 10);
  return { startDate: startDate && startDate > endDate ? endDate : startDate, endDate };
}

/** Form to edit, close or delete a challenge. */
function EditForm({ challenge }: { challenge: Challenge }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const form = useForm({ initialValues: formOf(challenge) });
  const needed = useNeeded(missingOwnFields(form.values));
  const saving = useMutation('updateChallenge');
  const closing = useMutation('updateChallenge');
  const deleting = useMutation('deleteChallenge');
  const { id, name } = challenge;
  const params = { id: String(id) };
  const removeDraft = usePersistedForm(`challenge-${id}`, form);

  const changed = (text: string) => (updated: Challenge) => {
    removeDraft();
    dispatch(challengeReceived(updated));
    dispatch(noticed({ text, tone: 'good' }));
    navigate(`/challenges/${id}`);
  };
  const save = (values: ChallengeForm) =>
    saving.send({ params, body: changesOf(values) }, changed(t('saved')));
  const close = () => {
    const body = changesOf({ ...challenge, ...closedDates(challenge) });
    closing.send({ params, body }, changed(t('closed')));
  };
  const remove = () =>
    deleting.send({ params }, () => {
      removeDraft();
      dispatch(noticed({ text: translateChallenge('deleted'), tone: 'good' }));
      navigate('/challenges', { replace: true });
      dispatch(challengeDeleted(id));
    });

  return (
    <div className={classes.parts}>
      <PageTitle>{t('editTitle')}</PageTitle>
      <Paper className={newChallenge.card ?? ''} radius="lg">
        <form aria-label={t('editTitle')} onSubmit={form.onSubmit(save)}>
          <ChallengeFields form={form} timeZone={challenge.timeZone} />
          <ChallengeOptions
            values={form.values}
            isOnMap={challenge.position !== null}
            onChange={form.setValues}
          />
          <Text c="dimmed" mt={16}>
            {t('placeStays')}
          </Text>
          <Group mt={24} mb={8}>
            <SubmitButton loading={saving.state === 'loading'} needed={needed} isUnchanged={!form.isDirty()}>
              {t('save')}
            </SubmitButton>
            <Button component={Link} to={`/challenges/${id}`} variant="default">
              {t('backToIt')}
            </Button>
          </Group>
          <FormError>{saving.error}</FormError>
        </form>
      </Paper>
      {phaseOf(challenge) !== 'ended' && (
        <section aria-labelledby="close-title">
          <h2 id="close-title">{t('closeTitle')}</h2>
          <p>{t('closeDescription')}</p>
          <Button variant="default" mb={8} loading={closing.state === 'loading'} onClick={close}>
            {t('close')}
          </Button>
          <FormError>{closing.error}</FormError>
        </section>
      )}
      {challenge.can?.delete && (
        <section aria-labelledby="delete-title">
          <h2 id="delete-title">{t('deleteOwn')}</h2>
          <p>{t('deleteOwnDescription')}</p>
          <DeleteButton
            label={t('deleteOwn')}
            warning={t('deleteOwnWarning', { name })}
            confirmLabel={t('deleteIt')}
            isDeleting={deleting.state === 'loading'}
            error={deleting.error}
            onConfirm={remove}
            px={0}
          />
        </section>
      )}
    </div>
  );
}

/** For the creator of a challenge; others are redirected to it. */
export default function EditChallenge() {
  const id = readId(useParams().id);
  return (
    <ChallengeLoader id={id}>
      {(challenge) =>
        challenge.can?.edit ? (
          <EditForm challenge={challenge} />
        ) : (
          <Navigate to={`/challenges/${id}`} replace />
        )
      }
    </ChallengeLoader>
  );
}
