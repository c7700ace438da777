import { combineSlices } from '@reduxjs/toolkit';
import { noticeSlice } from '../notice/notice-slice.ts';

/** All that the store holds. A feature's slice joins it with the code that needs it, and is as it begins until then. */
export const reducer = combineSlices(noticeSlice);
