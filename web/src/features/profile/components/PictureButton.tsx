import { Button, FileButton } from '@mantine/core';
import { IconCamera } from '@tabler/icons-react';
import { useDispatch, useSelector } from 'react-redux';
import { FormError } from '../../../shared/ui/FormError.tsx';
import { pictureChosen, selectPicture } from '../slice.ts';
import { useTranslations } from '../translations.ts';
import classes from './ProfileCard.module.css';

/** Uploads a picture, cropped to a square. Shows the result beside the button. */
export function PictureButton() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const { state, error } = useSelector(selectPicture);
  return (
    <>
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
