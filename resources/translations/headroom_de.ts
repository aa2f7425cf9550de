<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>ChartView</name>
    <message>
        <source>; here too: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Dialogs</name>
    <message>
        <source>Untitled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore unsaved changes</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Explanation</name>
    <message>
        <source>OTHER CONVENTIONS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PUBLISHED RUN</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ParameterPanel</name>
    <message>
        <source>Workload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parallelism</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load and targets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Software</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assumptions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>An analytical prediction; measure before you buy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Page %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Could not write %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Runs</name>
    <message>
        <source>1 run</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n runs</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headroom::ui</name>
    <message>
        <source>&amp;New</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start from a plain scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>Ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>Open a scenario file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read a model&apos;s config.json or a catalogue entry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the scenario under another name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export repor&amp;t…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the scenario as a PDF: result, charts, inputs, assumptions, sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take back the last change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make the change again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the scenario as a line of text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Paste scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace the scenario by the text in the clipboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as co&amp;mmand line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the headroom-cli call that gives the same numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicate &amp;accelerator…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make an accelerator of your own from the one in hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicate mo&amp;del…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make a model of your own from the one in hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset ro&amp;w</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the parameter in hand back to its default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset a&amp;ll</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set every unlocked parameter back to its default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Sweep this parameter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw the charts over the parameter in hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pla&amp;y this parameter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the parameter in hand by itself, until any key or click</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Pin for comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep this scenario beside the one in hand (A, B, C)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Clear pins</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget the pinned scenarios</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comp&amp;are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the scenario beside the pinned ones</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import &amp;measurements…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read runs of your own: CSV, torchtitan, Megatron-LM and vLLM logs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibrate to your &amp;runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the expectation onto what you measured; again: back to the built-in calibration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Calibrate to my GPU…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure your GPU with a script, and open what it wrote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose &amp;model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search the models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose acce&amp;lerator…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search the accelerators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F&amp;ind anything…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search commands, charts, models, accelerators, parameters and metrics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Explanation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show why a figure has its value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Full-size chart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the chart under the pointer over the whole page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chart as &amp;table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the numbers of the chart in hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>E&amp;xport chart…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the chart in hand as a picture or as numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch between light and dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Larger type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make all text larger</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Smaller type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make all text smaller</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Normal type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text in the desktop&apos;s size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To the lesson &amp;card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put the keyboard on the lesson that runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Next step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on in the lesson once the step is done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step &amp;back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go back to the step before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Leave the lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the lesson; your scenario comes back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Three ways to begin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Explore, learn or plan: what the first start offers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;About Headroom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version and licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dense peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TFLOP/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory bandwidth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>BF16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FP16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FP8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FP4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>INT8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TF32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FP32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale-up link, one way</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale-up domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Host link, one way</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network per device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gbit/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Power and price</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Power limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>W</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Price per hour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>USD</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accelerator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vendor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (%1 of rated)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other BF16 peaks in print</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> = our %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Published counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counted as Llama-like: the family is not known, the figures may be off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hidden width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Feed-forward width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longest context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key/value heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Head width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Used per token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expert width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shared width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 active</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1k context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 bf16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parallelism</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Software</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assumptions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 per GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fits: %1. The step is %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Does not fit: %1. The step is %2; times are as if it fitted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>now %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beside what is pinned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From %1: %2 %3 → %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Task</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, automatic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to change next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What would fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sources and calibration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Colour shows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Across</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Upwards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fine &amp;grid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw &amp;over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Back to all charts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Full size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keep these axes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the &amp;numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy &amp;picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy n&amp;umbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Hide this chart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” does not say which kind of file: end it with .png, .svg, .pdf or .csv.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export chart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pictures (*.png);;Vector graphics (*.svg);;PDF (*.pdf);;Numbers (*.csv);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chart was not exported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dashboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Charts of the scenario in hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The scenario in hand beside the pinned ones</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The smallest deployment that meets the targets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Catalogue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accelerators and models, side by side and as charts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Short lessons on the live window, from what MFU is to where the network binds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Glossary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every term, metric and parameter in one or two sentences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>accelerator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accelerator %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>parameter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw charts over %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Play %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moves it by itself, until any key or click</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>metric</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Point of the chart %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to what is in hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>WHAT TO CHANGE NEXT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>WHAT WOULD FIT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in the glossary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (95th percentile %2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 users who think for %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 requests/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prompt %1, output %2 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TTFT at most %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TPOT at most %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sequences of %1 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>global batch %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>within %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for at most %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>energy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MFU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at most %1 an hour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to %2 GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>best by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ranking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Growth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::Actions</name>
    <message>
        <source>%1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::BoundsEditor</name>
    <message>
        <source>Slider of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lower end of the slider of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upper end of the slider of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Usual ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is not a number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lower end must lie below the upper one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Possible from %1 to %2.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::CatalogEditor</name>
    <message>
        <source>%1 (copy)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” could not be kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit accelerator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicate accelerator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicate model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove “%1” from your catalogue?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its file is deleted. A built-in entry that it replaced comes back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” could not be removed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accelerator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is nothing that can be imported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” says only how a model is stored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” cannot be imported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is not a catalogue entry that Headroom can read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is in your catalogue already.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::CatalogPage</name>
    <message>
        <source>Search models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search accelerators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accelerators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All families</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All vendors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Family</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vendor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first four of %1 that are selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+click or Shift+arrow: up to four side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put the selected entry into the scenario (Return)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not published: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>… and %1 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files of your catalogue that were passed over:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Catalogue of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only yours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chart the peak in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>BF16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FP8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FP4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>INT8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision of the charted peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use in the scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicate…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make an entry of your own from the selected one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change your entry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete the file of your entry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Facts of what is selected</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::CatalogPicker</name>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::CatalogTableModel</name>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · yours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none known</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::ChartView</name>
    <message>
        <source>Chart</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::ChoiceButton</name>
    <message>
        <source>Answer %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, your answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, your answer, not so</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::CommandPalette</name>
    <message>
        <source>Find a command, a model, a GPU, a parameter or a metric</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find anything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was found</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::CompareModel</name>
    <message>
        <source>now %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, the best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, now %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (does not fit)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::ComparePage</name>
    <message>
        <source>Metrics of the scenario in hand and of the pins</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin what is in hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep this scenario beside the one in hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Swap with %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the pinned scenario in hand and pin this one instead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget the pins</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget the pinned scenarios</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The table and what changed, as text for a wiki or an issue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export CSV…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The figures in full precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is pinned yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin the scenario in hand, then move a slider: both stand here side by side, up to three pins at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What changed from %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Numbers (*.csv);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” cannot be written.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::DashboardPage</name>
    <message>
        <source>Menu of the chart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it is drawn over, its numbers, export</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::DataTable</name>
    <message>
        <source>Numbers of the chart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::DocumentController</name>
    <message>
        <source>“%1” cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is not a scenario that Headroom can open. The open scenario is unchanged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” cannot be written. What was there before is intact.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The clipboard does not hold a scenario.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste scenario</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::EntryForm</name>
    <message>
        <source>What follows from the fields</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not a number of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must not be negative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be a whole number</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::ExplanationPanel</name>
    <message>
        <source>Explanation</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::GlossaryPage</name>
    <message>
        <source>Search the terms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search the glossary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Terms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Often mistaken: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No term has all of these words.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::GroupHeader</name>
    <message>
        <source>Reset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset group %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the defaults of this group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fewer rows in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More rows in %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::ImportDialog</name>
    <message>
        <source>&lt;b&gt;%1 parameters&lt;/b&gt;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, &lt;b&gt;%1 active&lt;/b&gt; per token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>⚠ The family “%1” is not known: counted as Llama-like, which may be off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was assumed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assumed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use in the scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep in my catalogue and use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::LearnPage</name>
    <message>
        <source>%1 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lesson %1, done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lesson %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Play again: %1, done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each lesson runs on the live window: you say what you expect, move a slider, and see. Your own scenario waits and comes back. Done: %1 of %2.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::LessonCard</name>
    <message>
        <source>Your move</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the lesson; your scenario comes back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This step from its beginning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lesson %1 · step %2 of %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose accelerator…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lesson %1 · done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Now on your own scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You foresaw %1 of %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sources: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To my scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finish</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More in the glossary</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::LessonPlayer</name>
    <message>
        <source>Lesson “%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step %1 of the lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to your scenario</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::MainWindow</name>
    <message>
        <source>%1 moves by itself; any key or click stops it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PDF (*.pdf);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The report was not written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The command line is in the clipboard.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Headroom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;b&gt;Headroom %1&lt;/b&gt;&lt;br&gt;What-if explorer for the efficiency of large models.&lt;br&gt;&lt;br&gt;Charts by QCustomPlot, window by Qt.&lt;br&gt;Licence: GPL-3.0-or-later.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Undo “%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redo “%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convention %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1[*] — Headroom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your catalogue: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot be evaluated: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The measurement is of other settings: “observed” supposes that it holds for these too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave the measurement out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Does not fit: %1. Times are as if it did.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No recent files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Your runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>E&amp;xamples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Charts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Lessons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved changes cannot be kept: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::MeasureGuide</name>
    <message>
        <source>Calibrate to my GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Headroom expects what published runs reached. A script measures what your GPU, driver and PyTorch reach: copies, matrix products, attention and all-reduce by themselves, then decode and training steps of Llama models with random weights, in sizes that fit. It needs Python 3.9 and PyTorch and nothing of Headroom, downloads nothing, and takes about seven minutes in which the GPU should have nothing else to do.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1. Save the script where the GPU is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save the script…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2. Run it there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Command that runs the script</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>3. Open what it wrote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open mine.jsonl…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>4. Move the expectation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A few multipliers bring the predictions onto your runs. Tiles, charts and the status line say that they are in force; undo or the same button takes them back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the measuring script</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Python (*.py);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The script was not saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1”: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved in %1: %2. They belong together.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 from “%2”. They lie on the charts beside the prediction.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Back to the built-in calibration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>C&amp;alibrate to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>C&amp;alibrate</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::MessageBar</name>
    <message>
        <source>Remedy: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::MetricTile</name>
    <message>
        <source>%1, %2: %3 %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>observed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>calibrated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>obs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cal.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pred.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::NativeDialogs</name>
    <message>
        <source>Import measurements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Logs and tables (*.csv *.log *.txt *.out *.json *.jsonl);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Headroom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model configurations and catalogue entries (*.json);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the changes to “%1”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without saving they are lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore the unsaved changes to “%1”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Headroom did not end properly. The changes are from %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Restore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Later</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Headroom scenarios (*.headroom);;JSON files (*.json);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::PageStack</name>
    <message>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::ParameterPanel</name>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accelerator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search accelerators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pre-train</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fine-tune</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Serve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Task</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Custom model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>described in the scenario file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Custom accelerator</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::ParameterRowWidget</name>
    <message>
        <source>“%1” is not a number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From %1 to %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A whole number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unlock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw charts over %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Play</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slider from %1 to %2…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to automatic: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to default: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, slider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not set</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::PickerPopup</name>
    <message>
        <source>yours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, yours, %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::PlanAnswer</name>
    <message>
        <source>%1 configurations decided: %2 evaluated; excluded by an exact bound: %3 do not fit, %4 are too slow, %5 cost too much</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, %1 of training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, %1 in all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, %1 an hour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, MFU %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, %1 of its capacity used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; tightest: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why the next cheaper options fail</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of the search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the search; what was found so far stays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>So far: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No deployment fits and meets the targets.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fewer GPUs will do as well; by this measure they rank lower.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing cheaper was to be considered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped. %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::PlanField</name>
    <message>
        <source>any</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is not a number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from %1 to %2.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::PlanForm</name>
    <message>
        <source>Cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Energy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MFU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number formats may change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Offload may be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accelerators to compare with the scenario&apos;s own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A narrower format is faster wherever it is legal: free, it always wins. Whether the model still answers as well is not computed here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optimizer states or parameters may lie in the host&apos;s memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (list)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>or users</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>People who each send a request, read the answer and think before the next: users ÷ (service time + thinking) requests a second. Takes the place of the requests.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>users</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds between an answer and the user&apos;s next request; 0: every user always waits for one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deadline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Days for all training tokens, at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Price of the whole training run, at most, in US dollars</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fewest GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The fewest GPUs to consider; from there by doubling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The most GPUs to consider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cost an hour, at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the whole job, at most, in US dollars</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This accelerator</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n more accelerators</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Accelerators to compare: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (no price)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::PlanPage</name>
    <message>
        <source>Side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Growth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An analytical estimate of one layout at a time, with the efficiencies of the calibration: measure a pilot before you buy. Waiting: Erlang C over replicas × batch places with the spread of the lengths; the batch is taken as full. Prices are US dollars.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State a load, or the tokens of a training run, to see what multiples of it need.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The cheapest deployment as the load (of a training run: its tokens) becomes a multiple of today&apos;s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The scenario cannot be evaluated: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use %1 × %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>plan.csv</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the ranking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CSV tables (*.csv);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The table could not be written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>plan.pdf</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PDF (*.pdf);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The report was not written.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::PlanRanking</name>
    <message>
        <source>Use this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export CSV…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ranking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tick up to four to see them side by side.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make the selected deployment, else the best, the scenario (Return)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the ranking at full precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Question, answer, ranking and the selected deployment, else the best, as a PDF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ranked deployments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Space ticks a row for comparison, Return makes it the scenario</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::PlanTableModel</name>
    <message>
        <source>–</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tick up to four to compare them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it would run out of first, and how much of it is taken</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accelerator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tightest</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::QuestionBox</name>
    <message>
        <source>I do not know</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predict first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your guess</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Noted. Now find out whether it is so.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Then find out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Near enough: it is %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not quite: it is %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is answer %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not so: it is answer %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type a number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is not a number above zero.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::RunController</name>
    <message>
        <source>No measurements could be imported from “%1”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 imported from “%2” (%3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>serving</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure this scenario (group “Measured” of the parameters), or import a log of a run on the same accelerator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your runs are of %1: open one of them (Scenario › Your runs), or choose its accelerator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to calibrate to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibrate to your runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibrated to your runs: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Built-in calibration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a run of yours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open as the scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No runs of yours yet: File › Import measurements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove all</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::ScenarioStore</name>
    <message>
        <source>%1 %2</source>
        <comment>undo step: parameter, value</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Swap with %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::SegmentedControl</name>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::SidePanel</name>
    <message>
        <source>Lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Explanation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right panel</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::StatusLine</name>
    <message>
        <source>The expectation carries efficiencies of your own; undo takes them back too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Own calibration in force: back to the built-in one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the change to the last repaint it caused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;span style=&apos;color:%1&apos;&gt;●&lt;/span&gt; fits: %2 of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;span style=&apos;color:%1&apos;&gt;▲&lt;/span&gt; does not fit: %2 of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bound by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;span style=&apos;color:%1&apos;&gt;◆&lt;/span&gt; own calibration · &lt;a href=&apos;builtin&apos; style=&apos;color:%2&apos;&gt;back to built-in&lt;/a&gt;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;span style=&apos;color:%1&apos;&gt;▲&lt;/span&gt; cannot be evaluated: the figures are older</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 per update</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unsaved changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not saved to a file</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>headroom::ui::WelcomeCard</name>
    <message>
        <source>Welcome</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much of your GPUs do you use?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Headroom predicts how fast a large model trains or answers on given hardware, what share of the hardware that is, and what would raise it. What you see behind this card is live.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Explore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move any slider: every figure and chart follows. Ctrl+K finds anything.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n short lesson(s) on this window, beginning with what MFU is.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Say what you need; get the smallest deployment that does it, and why.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Escape closes this card. Help, Three ways to begin, brings it back.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
