/**
 * Whether an input method is composing a character: then Enter belongs to it. Safari reports that by the key code only.
 */
export const isComposing = ({ isComposing, keyCode }: KeyboardEvent): boolean =>
  isComposing || keyCode === 229;
