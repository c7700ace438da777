declare module 'virtual:water' {
  /** URL of the folder of the water's files, without a trailing slash. */
  const folder: string;
  export default folder;
}
