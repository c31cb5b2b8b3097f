/** Charts: each with its data as a table. */
export { AreaChart, BarChart, Chart, LineChart, type ChartProps } from './chart.js';
export { HeatMap, type HeatMapProps } from './heatMap.js';
export type { ChartPoint, Series, Unit } from './model.js';
export { Sparkline } from './sparkline.js';
