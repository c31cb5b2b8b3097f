/** Charts: each with its data as a table. */
export { AreaChart, BarChart, Chart, LineChart } from './chart.js';
export { HeatMap } from './heatMap.js';
export type { ChartMark, ChartPoint, Series } from './model.js';
export { Sparkline } from './sparkline.js';
