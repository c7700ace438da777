/** Hands a picture on: to whatever the device shares with, where that takes pictures, else as a file. */
export async function share(picture: Blob, title: string): Promise<void> {
  const file = new File([picture], 'wayquest.png', { type: picture.type });
  if (navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file], title }).catch((error: unknown) => {
      // Whoever changes their mind has not failed.
      if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
    });
    return;
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  URL.revokeObjectURL(link.href);
}
