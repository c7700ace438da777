declare module 'virtual:water' {
  /** Where the files of the water are, without a slash at its end. */
  const folder: string;
  export default folder;
}
