import { Button, Paper, Skeleton } from '@mantine/core';
import { IconShare } from '@tabler/icons-react';
import type { Challenge } from '@wayquest/contracts';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectAuthStatus, selectUser } from '../../../entities/auth/slice.ts';
import { deleteRequested, selectDeleteError, selectDeleting } from '../../../entities/challenges/slice.ts';
import { nameOf } from '../../../entities/challenges/texts.ts';
import { JoinButton } from '../../../entities/participations/JoinButton.tsx';
import {
  type ParticipationsState,
  selectActionError,
  selectOwnParticipation,
  selectParticipantsState,
} from '../../../entities/participations/slice.ts';
import { shareNatively } from '../../../shared/lib/browser.ts';
import { noticed } from '../../../shared/notice/notice-slice.ts';
import { FormError } from '../../../shared/ui/Message.tsx';
import { useFocusFallback } from '../../../shared/ui/use-focus-fallback.ts';
import { useTranslations } from '../translations.ts';
import classes from './Actions.module.css';
import { DeleteButton } from './DeleteButton.tsx';
import { LeaveButton, ParticipationPanel } from './ParticipationPanel.tsx';

/** Shares a challenge's URL: with the device's dialog, otherwise by the clipboard. */
export function ShareButton({ id, name }: { id: number; name: string }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const url = `${location.origin}/challenges/${id}`;
  const share = async () => {
    try {
      if (typeof navigator.share === 'function') return await shareNatively({ url, title: name });
      await navigator.clipboard.writeText(url);
      dispatch(noticed({ text: t('linkCopied'), tone: 'good' }));
    } catch {
      dispatch(noticed({ text: t('linkNotCopied', { url }), tone: 'bad' }));
    }
  };
  return (
    <Button
      variant="default"
      fullWidth
      leftSection={<IconShare size={18} aria-hidden />}
      onClick={() => void share()}
    >
      {t('share')}
    </Button>
  );
}

/** Deletes a challenge as an admin. */
function AdminDeleteButton({ challenge }: { challenge: Challenge }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  return (
    <DeleteButton
      label={t('delete')}
      warning={t('deleteWarning', { name: nameOf(challenge) })}
      confirmLabel={t('deleteAndKeepPoints')}
      isDeleting={useSelector(selectDeleting)}
      error={useSelector(selectDeleteError)}
      onConfirm={() => dispatch(deleteRequested(challenge.id))}
      fullWidth
    />
  );
}

interface Props {
  challenge: Challenge;
  /** Whether the page has a share button elsewhere. */
  isShared: boolean;
}

/** Actions on a challenge. */
export function Actions({ challenge, isShared }: Props) {
  const t = useTranslations();
  const status = useSelector(selectAuthStatus);
  const user = useSelector(selectUser);
  const participation = useSelector((state: ParticipationsState) =>
    selectOwnParticipation(state, challenge.id),
  );
  const participants = useSelector(selectParticipantsState);
  const error = useSelector(selectActionError);
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const lowerFocusFallback = useFocusFallback<HTMLDivElement>();
  const isLoading = participants === 'idle' || participants === 'loading';
  if (status === 'starting' || (status === 'member' && isLoading))
    return (
      <Paper className={classes.card} radius="lg">
        <div className={classes.main} data-waits>
          {/* Between the heights for participants and for others. */}
          <Skeleton height={challenge.checkInRequired ? 120 : 50} />
        </div>
        <div className={classes.others}>
          <Skeleton height={44} />
        </div>
      </Paper>
    );
  return (
    <Paper className={classes.card} radius="lg">
      <div className={classes.main} data-sticks {...focusFallback}>
        {participation ? (
          <ParticipationPanel challenge={challenge} participation={participation} />
        ) : (
          challenge.status !== 'hidden' && <JoinButton challenge={challenge} />
        )}
        {error && <FormError>{error}</FormError>}
      </div>
      <div className={classes.others} {...lowerFocusFallback}>
        {participation && <LeaveButton participation={participation} />}
        {!isShared && <ShareButton id={challenge.id} name={nameOf(challenge)} />}
        {challenge.can?.edit && (
          <Button component={Link} to={`/challenges/${challenge.id}/edit`} variant="default" fullWidth>
            {t('edit')}
          </Button>
        )}
        {user?.admin && challenge.can?.delete && <AdminDeleteButton challenge={challenge} />}
      </div>
    </Paper>
  );
}
