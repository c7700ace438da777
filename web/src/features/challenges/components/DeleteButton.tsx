import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import { Button, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Challenge } from '@wayquest/contracts';
import { useDispatch, useSelector } from 'react-redux';
import { FormError } from '../../../shared/ui/FormError.tsx';
import { selectDeleteError, selectDeleting } from '../selectors.ts';
import { deleteRequested } from '../slice.ts';

/** For admins: deletes after a second thought. */
export function DeleteButton({ challenge }: { challenge: Challenge }) {
  const dispatch = useDispatch();
  const deleting = useSelector(selectDeleting);
  const error = useSelector(selectDeleteError);
  const [asking, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="subtle" color="red" fullWidth onClick={open}>
        Delete Challenge
      </Button>
      <Modal opened={asking} onClose={close} title="Delete this challenge?" centered radius="lg">
        <Text mb={24}>
          “{challenge.name}” goes away for everyone, with all who take part. Points already earned stay.
        </Text>
        <FormError>{error}</FormError>
        <Group justify="end" mt={8}>
          <Button variant="default" onClick={close} data-autofocus>
            Keep it
          </Button>
          <Button color="red" loading={deleting} onClick={() => dispatch(deleteRequested(challenge.id))}>
            Delete it
          </Button>
        </Group>
      </Modal>
    </>
  );
}
