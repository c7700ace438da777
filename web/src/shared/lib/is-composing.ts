/** Whether an input method still puts a character together: then Enter belongs to it. Safari says so by the key code alone. */
export const isComposing = ({ isComposing, keyCode }: KeyboardEvent): boolean =>
  isComposing || keyCode === 229;
