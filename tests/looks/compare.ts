/** Shrinks and compares screenshots. Runs inside a page, which can decode and encode pictures. */

/** Half the size is enough to see changes, and keeps the references small. */
export async function shrink(png: string): Promise<string> {
  const QUALITY = 0.6;
  const bitmap = await createImageBitmap(await (await fetch(png)).blob());
  const canvas = new OffscreenCanvas(Math.ceil(bitmap.width / 2), Math.ceil(bitmap.height / 2));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('this browser draws nothing');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: QUALITY });
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** Share of visibly different pixels, from 0 to 1; 1 if the sizes differ. */
export async function difference({
  kept,
  picture,
}: {
  kept: string;
  picture: string;
}): Promise<number> {
  /** Difference in any channel, of 255; smaller ones are the encoder's noise. */
  const SEEN = 40;
  const [first, second] = await Promise.all([pixels(kept), pixels(picture)]);
  if (first.width !== second.width || first.height !== second.height) return 1;
  let differing = 0;
  for (let at = 0; at < first.data.length; at += 4) {
    const apart = [0, 1, 2].some(
      (channel) =>
        Math.abs((first.data[at + channel] ?? 0) - (second.data[at + channel] ?? 0)) > SEEN,
    );
    if (apart) differing += 1;
  }
  return differing / (first.data.length / 4);

  async function pixels(image: string): Promise<ImageData> {
    const bitmap = await createImageBitmap(await (await fetch(image)).blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('this browser draws nothing');
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, bitmap.width, bitmap.height);
  }
}
