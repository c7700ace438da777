import { shareNatively } from '../../shared/lib/native-share.ts';

/** Shares a picture: with the device's dialog if that accepts pictures, otherwise as a download. */
export async function share(picture: Blob, title: string): Promise<void> {
  const file = new File([picture], 'wayquest.png', { type: picture.type });
  if (navigator.canShare?.({ files: [file] })) {
    await shareNatively({ files: [file], title });
    return;
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  URL.revokeObjectURL(link.href);
}
