import { combineSlices } from '@reduxjs/toolkit';
import { noticeSlice } from '../notice/notice-slice.ts';

/** The store's reducer. A feature's slice is added together with its code, and has its initial state until then. */
export const reducer = combineSlices(noticeSlice);
