import { Button, FileButton } from '@mantine/core';
import { IconCamera } from '@tabler/icons-react';
import { useDispatch, useSelector } from 'react-redux';
import { pictureChosen, selectSaving } from '../slice.ts';

/** Lets people show themselves; the server cuts the picture to a square. */
export function PictureButton() {
  const dispatch = useDispatch();
  const { state } = useSelector(selectSaving);
  return (
    <FileButton
      accept="image/jpeg,image/png,image/webp"
      onChange={(file) => file && dispatch(pictureChosen(file))}
    >
      {(props) => (
        <Button
          {...props}
          variant="default"
          leftSection={<IconCamera size={18} aria-hidden />}
          loading={state === 'loading'}
        >
          Change picture
        </Button>
      )}
    </FileButton>
  );
}
