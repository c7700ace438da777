/** Merges two sequences that are sorted by id. */
export async function* mergeById<T extends { id: number }>(
  one: AsyncGenerator<T, void>,
  other: AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  let [first, second] = [await one.next(), await other.next()];
  for (;;) {
    if (!first.done && (second.done || first.value.id < second.value.id)) {
      yield first.value;
      first = await one.next();
    } else if (!second.done) {
      yield second.value;
      second = await other.next();
    } else return;
  }
}
