import { Box, Button, Group } from '@mantine/core';
import type { PublicUser } from '@wayquest/contracts';
import { useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useParams } from 'react-router-dom';
import { selectUser } from '../../entities/auth/slice.ts';
import { LazyReportButton } from '../../entities/reports/lazy.tsx';
import { BlockPerson } from '../../features/blocks/Blocks.tsx';
import { TrailBook } from '../../features/trail/TrailBook.tsx';
import { PublicProfile } from '../../features/users/routes/PublicProfile.tsx';
import { selectUserById, type usersSlice } from '../../features/users/slice.ts';
import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/admin.ts';
import { readId } from '../../shared/lib/query-params.ts';
import { useMutation } from '../../shared/lib/use-mutation.ts';
import { noticed } from '../../shared/notice/notice-slice.ts';
import { ConfirmDialog } from '../../shared/ui/ConfirmDialog.tsx';
import { FormError } from '../../shared/ui/Message.tsx';
import classes from './PublicProfilePage.module.css';

const { useTranslations } = catalogue('admin', english);

/** For admins: deletes all challenges of a user, and revokes the points earned with them. */
function DeleteAllOf({ user: { id, username } }: { user: PublicUser }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const me = useSelector(selectUser);
  const dialog = useRef<HTMLDialogElement>(null);
  const deleting = useMutation('deleteChallengesOf');
  if (!me?.admin) return null;
  const confirmed = () =>
    deleting.send({ params: { id } }, ({ deleted: count }) => {
      dialog.current?.close();
      dispatch(noticed({ text: t('allDeleted', { count, username }), tone: 'good' }));
    });
  return (
    <div className={classes.part}>
      <Button
        variant="transparent"
        className={classes.delete ?? ''}
        onClick={() => dialog.current?.showModal()}
      >
        {t('deleteAll', { username })}
      </Button>
      <ConfirmDialog
        ref={dialog}
        title={t('deleteAllTitle', { username })}
        confirmLabel={t('deleteThem')}
        cancelLabel={t('cancel')}
        busy={deleting.state === 'loading'}
        onConfirm={confirmed}
      >
        <p>{t('deleteAllDescription', { username })}</p>
        <FormError>{deleting.error}</FormError>
      </ConfirmDialog>
    </div>
  );
}

type State = Parameters<typeof usersSlice.selectSlice>[0];

/** A user's public profile with trail book, block button and, for admins, deletion of their challenges. */
export default function PublicProfilePage() {
  const id = readId(useParams().id);
  const me = useSelector(selectUser);
  const user = useSelector((state: State) => selectUserById(state, id));
  return (
    <PublicProfile>
      <TrailBook key={id} userId={id} />
      {user && me && me.id !== user.id && (
        <Group justify="center" gap={8} mih={44} mt={24}>
          {/* As wide as what comes, so that nothing moves. */}
          <Box miw={108} ta="end">
            <LazyReportButton key={`report ${id}`} kind="user" id={id} />
          </Box>
          <BlockPerson key={`block ${id}`} user={user} />
        </Group>
      )}
      {user && <DeleteAllOf key={`delete ${id}`} user={user} />}
    </PublicProfile>
  );
}
