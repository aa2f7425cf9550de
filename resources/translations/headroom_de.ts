<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>ChartView</name>
    <message>
        <source>; here too: %1</source>
        <translation>; hier auch: %1</translation>
    </message>
</context>
<context>
    <name>Dialogs</name>
    <message>
        <source>Untitled</source>
        <translation>Unbenannt</translation>
    </message>
    <message>
        <source>Restore unsaved changes</source>
        <translation>Ungespeicherte Änderungen wiederherstellen</translation>
    </message>
</context>
<context>
    <name>Explanation</name>
    <message>
        <source>OTHER CONVENTIONS</source>
        <translation>ANDERE ZÄHLWEISEN</translation>
    </message>
    <message>
        <source>PUBLISHED RUN</source>
        <translation>VERÖFFENTLICHTER LAUF</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>An analytical prediction; measure before you buy.</source>
        <translation>Eine analytische Vorhersage; messen Sie, bevor Sie kaufen.</translation>
    </message>
    <message>
        <source>Page %1 of %2</source>
        <translation>Seite %1 von %2</translation>
    </message>
    <message>
        <source>Could not write %1: %2</source>
        <translation>%1 konnte nicht geschrieben werden: %2</translation>
    </message>
    <message>
        <source>Could not draw %1: the size is empty or too large</source>
        <translation>%1 konnte nicht gezeichnet werden: die Größe ist leer oder zu groß</translation>
    </message>
</context>
<context>
    <name>QPlatformTheme</name>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Restore Defaults</source>
        <translation>Standardwerte</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>&amp;Ja</translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation>&amp;Nein</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Don&apos;t Save</source>
        <translation>Nicht speichern</translation>
    </message>
</context>
<context>
    <name>QShortcut</name>
    <message>
        <source>Ctrl</source>
        <translation>Strg</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>Umschalt</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Links</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>Rechts</translation>
    </message>
</context>
<context>
    <name>Runs</name>
    <message>
        <source>1 run</source>
        <translation>1 Lauf</translation>
    </message>
    <message numerus="yes">
        <source>%n runs</source>
        <translation>
            <numerusform>%n Lauf</numerusform>
            <numerusform>%n Läufe</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headroom::ui</name>
    <message>
        <source>%1 (list)</source>
        <translation>%1 (Liste)</translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation>&amp;Neu</translation>
    </message>
    <message>
        <source>Start from a plain scenario</source>
        <translation>Mit einem einfachen Szenario beginnen</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>Ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>Open a scenario file</source>
        <translation>Eine Szenariodatei öffnen</translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation>&amp;Importieren…</translation>
    </message>
    <message>
        <source>Read a model&apos;s config.json or a catalogue entry</source>
        <translation>Die config.json eines Modells oder einen Katalogeintrag lesen</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Save the scenario</source>
        <translation>Das Szenario speichern</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>Speichern &amp;unter…</translation>
    </message>
    <message>
        <source>Save the scenario under another name</source>
        <translation>Das Szenario unter einem anderen Namen speichern</translation>
    </message>
    <message>
        <source>Export repor&amp;t…</source>
        <translation>&amp;Bericht exportieren…</translation>
    </message>
    <message>
        <source>Save the scenario as a PDF: result, charts, inputs, assumptions, sources</source>
        <translation>Das Szenario als PDF speichern: Ergebnis, Diagramme, Eingaben, Annahmen, Quellen</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>B&amp;eenden</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>Das Fenster schließen</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>Take back the last change</source>
        <translation>Die letzte Änderung zurücknehmen</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Make the change again</source>
        <translation>Die Änderung noch einmal ausführen</translation>
    </message>
    <message>
        <source>&amp;Copy scenario</source>
        <translation>Szenario &amp;kopieren</translation>
    </message>
    <message>
        <source>Copy the scenario as a line of text</source>
        <translation>Das Szenario als eine Textzeile kopieren</translation>
    </message>
    <message>
        <source>&amp;Paste scenario</source>
        <translation>Szenario &amp;einfügen</translation>
    </message>
    <message>
        <source>Replace the scenario by the text in the clipboard</source>
        <translation>Das Szenario durch den Text in der Zwischenablage ersetzen</translation>
    </message>
    <message>
        <source>Copy as co&amp;mmand line</source>
        <translation>Als &amp;Befehlszeile kopieren</translation>
    </message>
    <message>
        <source>Copy the headroom-cli command that gives the same numbers</source>
        <translation>Den Aufruf von headroom-cli kopieren, der dieselben Zahlen ergibt</translation>
    </message>
    <message>
        <source>Duplicate &amp;accelerator…</source>
        <translation>Be&amp;schleuniger duplizieren…</translation>
    </message>
    <message>
        <source>Make an accelerator of your own from the one in hand</source>
        <translation>Aus dem gewählten Beschleuniger einen eigenen machen</translation>
    </message>
    <message>
        <source>Duplicate mo&amp;del…</source>
        <translation>&amp;Modell duplizieren…</translation>
    </message>
    <message>
        <source>Make a model of your own from the one in hand</source>
        <translation>Aus dem gewählten Modell ein eigenes machen</translation>
    </message>
    <message>
        <source>Reset ro&amp;w</source>
        <translation>&amp;Zeile zurücksetzen</translation>
    </message>
    <message>
        <source>Set the parameter in hand back to its default</source>
        <translation>Den gewählten Parameter auf seinen Standardwert zurücksetzen</translation>
    </message>
    <message>
        <source>Reset a&amp;ll</source>
        <translation>&amp;Alles zurücksetzen</translation>
    </message>
    <message>
        <source>Set every unlocked parameter back to its default</source>
        <translation>Alle nicht gesperrten Parameter auf ihre Standardwerte zurücksetzen</translation>
    </message>
    <message>
        <source>&amp;Sweep this parameter</source>
        <translation>&amp;Diagramme über diesen Parameter</translation>
    </message>
    <message>
        <source>Draw the charts over the parameter in hand</source>
        <translation>Die Diagramme über den gewählten Parameter zeichnen</translation>
    </message>
    <message>
        <source>Pla&amp;y this parameter</source>
        <translation>Diesen Parameter abs&amp;pielen</translation>
    </message>
    <message>
        <source>Play the parameter in hand: it moves until a key or a click</source>
        <translation>Den gewählten Parameter von selbst bewegen, bis zu einer Taste oder einem Klick</translation>
    </message>
    <message>
        <source>&amp;Pin for comparison</source>
        <translation>Zum Vergleich &amp;anheften</translation>
    </message>
    <message>
        <source>Pin this scenario for comparison (A, B, C)</source>
        <translation>Dieses Szenario neben dem aktuellen behalten (A, B, C)</translation>
    </message>
    <message>
        <source>&amp;Forget the pins</source>
        <translation>Pi&amp;ns lösen</translation>
    </message>
    <message>
        <source>Forget the pinned scenarios</source>
        <translation>Alle angehefteten Szenarien lösen</translation>
    </message>
    <message>
        <source>Comp&amp;are</source>
        <translation>&amp;Vergleichen</translation>
    </message>
    <message>
        <source>Show the scenario beside the pinned ones</source>
        <translation>Das Szenario neben den angehefteten zeigen</translation>
    </message>
    <message>
        <source>Import &amp;measurements…</source>
        <translation>&amp;Messungen importieren…</translation>
    </message>
    <message>
        <source>Read runs of your own: CSV; logs of torchtitan, Megatron-LM, Megatron Bridge, NeMo, MaxText, Trainer, LLaMA-Factory, Axolotl; results of vLLM, SGLang, trtllm-bench, GenAI-Perf, AIPerf, llama-bench</source>
        <translation>Eigene Läufe lesen: CSV; Protokolle von torchtitan, Megatron-LM, Megatron Bridge, NeMo, MaxText, Trainer, LLaMA-Factory, Axolotl; Ergebnisse von vLLM, SGLang, trtllm-bench, GenAI-Perf, AIPerf, llama-bench</translation>
    </message>
    <message>
        <source>Calibrate to your &amp;runs</source>
        <translation>Auf eigene Läufe &amp;kalibrieren</translation>
    </message>
    <message>
        <source>Calibrate the expectation to your measurements; press again to restore the built-in calibration</source>
        <translation>Die Erwartung auf das rücken, was Sie gemessen haben; noch einmal: zurück zur mitgelieferten Kalibrierung</translation>
    </message>
    <message>
        <source>&amp;Calibrate to my GPU…</source>
        <translation>Auf meine &amp;GPU kalibrieren…</translation>
    </message>
    <message>
        <source>Measure your GPU with a script, and open its output</source>
        <translation>Ihre GPU mit einem Skript messen und öffnen, was es geschrieben hat</translation>
    </message>
    <message>
        <source>Choose &amp;model…</source>
        <translation>&amp;Modell wählen…</translation>
    </message>
    <message>
        <source>Search the models</source>
        <translation>Die Modelle durchsuchen</translation>
    </message>
    <message>
        <source>Choose acce&amp;lerator…</source>
        <translation>Be&amp;schleuniger wählen…</translation>
    </message>
    <message>
        <source>Search the accelerators</source>
        <translation>Die Beschleuniger durchsuchen</translation>
    </message>
    <message>
        <source>F&amp;ind anything…</source>
        <translation>Alles durchs&amp;uchen…</translation>
    </message>
    <message>
        <source>Search commands, charts, models, accelerators, parameters and metrics</source>
        <translation>Befehle, Diagramme, Modelle, Beschleuniger, Parameter und Kennzahlen durchsuchen</translation>
    </message>
    <message>
        <source>&amp;Explanation</source>
        <translation>&amp;Erklärung</translation>
    </message>
    <message>
        <source>Show why a figure has its value</source>
        <translation>Zeigen, warum eine Zahl ihren Wert hat</translation>
    </message>
    <message>
        <source>&amp;Full-size chart</source>
        <translation>Diagramm in &amp;voller Größe</translation>
    </message>
    <message>
        <source>Show the chart under the pointer over the whole page</source>
        <translation>Das Diagramm unter dem Mauszeiger über die ganze Seite zeigen</translation>
    </message>
    <message>
        <source>Chart as &amp;table</source>
        <translation>Diagramm als &amp;Tabelle</translation>
    </message>
    <message>
        <source>Show the numbers of the chart in hand</source>
        <translation>Die Zahlen des gewählten Diagramms zeigen</translation>
    </message>
    <message>
        <source>E&amp;xport chart…</source>
        <translation>Diagramm e&amp;xportieren…</translation>
    </message>
    <message>
        <source>Save the chart in hand as a picture or as numbers</source>
        <translation>Das gewählte Diagramm als Bild oder als Zahlen speichern</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>Dun&amp;kel</translation>
    </message>
    <message>
        <source>Switch between light and dark</source>
        <translation>Zwischen hell und dunkel wechseln</translation>
    </message>
    <message>
        <source>&amp;Larger type</source>
        <translation>&amp;Größere Schrift</translation>
    </message>
    <message>
        <source>Make all text larger</source>
        <translation>Allen Text vergrößern</translation>
    </message>
    <message>
        <source>&amp;Smaller type</source>
        <translation>K&amp;leinere Schrift</translation>
    </message>
    <message>
        <source>Make all text smaller</source>
        <translation>Allen Text verkleinern</translation>
    </message>
    <message>
        <source>&amp;Normal type</source>
        <translation>&amp;Normale Schrift</translation>
    </message>
    <message>
        <source>Text in the desktop&apos;s size</source>
        <translation>Text in der Größe des Desktops</translation>
    </message>
    <message>
        <source>To the lesson &amp;card</source>
        <translation>Zur Lektions&amp;karte</translation>
    </message>
    <message>
        <source>Move the keyboard focus to the running lesson</source>
        <translation>Die Tastatur auf die laufende Lektion richten</translation>
    </message>
    <message>
        <source>&amp;Next step</source>
        <translation>&amp;Nächster Schritt</translation>
    </message>
    <message>
        <source>Go on in the lesson once the step is done</source>
        <translation>In der Lektion weitergehen, sobald der Schritt getan ist</translation>
    </message>
    <message>
        <source>Step &amp;back</source>
        <translation>Schritt &amp;zurück</translation>
    </message>
    <message>
        <source>Go back to the previous step</source>
        <translation>Zum vorigen Schritt zurückgehen</translation>
    </message>
    <message>
        <source>&amp;Leave the lesson</source>
        <translation>Lektion &amp;verlassen</translation>
    </message>
    <message>
        <source>End the lesson; your scenario comes back</source>
        <translation>Die Lektion beenden; Ihr Szenario kommt zurück</translation>
    </message>
    <message>
        <source>&amp;About Headroom</source>
        <translation>Ü&amp;ber Headroom</translation>
    </message>
    <message>
        <source>Version and licence</source>
        <translation>Version und Lizenz</translation>
    </message>
    <message>
        <source>Dense peak</source>
        <translation>Spitzenleistung (dense)</translation>
    </message>
    <message>
        <source>TFLOP/s</source>
        <translation>TFLOP/s</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>GB</source>
        <translation>GB</translation>
    </message>
    <message>
        <source>Memory bandwidth</source>
        <translation>Speicherbandbreite</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>BF16</source>
        <translation>BF16</translation>
    </message>
    <message>
        <source>FP16</source>
        <translation>FP16</translation>
    </message>
    <message>
        <source>FP8</source>
        <translation>FP8</translation>
    </message>
    <message>
        <source>FP4</source>
        <translation>FP4</translation>
    </message>
    <message>
        <source>INT8</source>
        <translation>INT8</translation>
    </message>
    <message>
        <source>TF32</source>
        <translation>TF32</translation>
    </message>
    <message>
        <source>FP32</source>
        <translation>FP32</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>Verbindungen</translation>
    </message>
    <message>
        <source>Scale-up link, one way</source>
        <translation>Scale-up-Verbindung, eine Richtung</translation>
    </message>
    <message>
        <source>Scale-up domain</source>
        <translation>Scale-up-Domäne</translation>
    </message>
    <message>
        <source>devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Host link, one way</source>
        <translation>Host-Verbindung, eine Richtung</translation>
    </message>
    <message>
        <source>Network per device</source>
        <translation>Netz pro Gerät</translation>
    </message>
    <message>
        <source>Gbit/s</source>
        <translation>Gbit/s</translation>
    </message>
    <message>
        <source>Power and price</source>
        <translation>Leistungsaufnahme und Preis</translation>
    </message>
    <message>
        <source>Power limit</source>
        <translation>Leistungsgrenze</translation>
    </message>
    <message>
        <source>W</source>
        <translation>W</translation>
    </message>
    <message>
        <source>Price per hour</source>
        <translation>Preis pro Stunde</translation>
    </message>
    <message>
        <source>USD</source>
        <translation>USD</translation>
    </message>
    <message>
        <source>Accelerator</source>
        <translation>Beschleuniger</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Vendor</source>
        <translation>Hersteller</translation>
    </message>
    <message>
        <source>none known</source>
        <translation>keine bekannt</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>yours</source>
        <translation>eigen</translation>
    </message>
    <message>
        <source> (%1 of rated)</source>
        <translation> (%1 des Nennwerts)</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Messung</translation>
    </message>
    <message>
        <source>Other BF16 peaks in print</source>
        <translation>Andere veröffentlichte BF16-Spitzenleistungen</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Anmerkungen</translation>
    </message>
    <message>
        <source> = our %1</source>
        <translation> = hier: %1</translation>
    </message>
    <message>
        <source>Published counts</source>
        <translation>Veröffentlichte Zahlen</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>from</source>
        <translation>vorher</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>Quellen</translation>
    </message>
    <message>
        <source>Counted as Llama-like: the family is not known, the figures may be off.</source>
        <translation>Gezählt wie Llama: Die Familie ist nicht bekannt, die Zahlen können danebenliegen.</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Hidden width</source>
        <translation>Hidden-Breite</translation>
    </message>
    <message>
        <source>Feed-forward width</source>
        <translation>Feed-forward-Breite</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>Vokabular</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Longest context</source>
        <translation>Längster Kontext</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>Köpfe</translation>
    </message>
    <message>
        <source>Key/value heads</source>
        <translation>Key/Value-Köpfe</translation>
    </message>
    <message>
        <source>Head width</source>
        <translation>Kopfbreite</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>Experten</translation>
    </message>
    <message>
        <source>Used per token</source>
        <translation>Pro Token benutzt</translation>
    </message>
    <message>
        <source>Expert width</source>
        <translation>Expertenbreite</translation>
    </message>
    <message>
        <source>Shared width</source>
        <translation>Gemeinsame Breite</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>%1, %2 active</source>
        <translation>%1, %2 aktiv</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 Parameter</translation>
    </message>
    <message>
        <source>%1k context</source>
        <translation>%1k Kontext</translation>
    </message>
    <message>
        <source>%1 context</source>
        <translation>%1 Kontext</translation>
    </message>
    <message>
        <source>%1 bf16</source>
        <translation>%1 bf16</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1&#xa0;%</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>Hardware</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>Workload</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Präzision</translation>
    </message>
    <message>
        <source>Parallelism</source>
        <translation>Parallelität</translation>
    </message>
    <message>
        <source>Software</source>
        <translation>Software</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Last</translation>
    </message>
    <message>
        <source>Assumptions</source>
        <translation>Annahmen</translation>
    </message>
    <message>
        <source>%1 of %2 per GPU</source>
        <translation>%1 von %2 pro GPU</translation>
    </message>
    <message>
        <source>Fits: %1. The step is %2.</source>
        <translation>Passt: %1. Der Schritt: %2.</translation>
    </message>
    <message>
        <source>Does not fit: %1; %2. The step is %3.</source>
        <translation>Passt nicht: %1; %2. Der Schritt: %3.</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>vorhergesagt</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>now %1</source>
        <translation>jetzt %1</translation>
    </message>
    <message>
        <source>Beside what is pinned</source>
        <translation>Neben dem Angehefteten</translation>
    </message>
    <message>
        <source>From %1: %2 %3 → %4</source>
        <translation>Gegenüber %1: %2 %3 → %4</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>inference</source>
        <translation>Inferenz</translation>
    </message>
    <message>
        <source>, automatic</source>
        <translation>, automatisch</translation>
    </message>
    <message>
        <source>, default</source>
        <translation>, Standard</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Sources and calibration</source>
        <translation>Quellen und Kalibrierung</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>&amp;Colour shows</source>
        <translation>&amp;Farbe zeigt</translation>
    </message>
    <message>
        <source>&amp;Across</source>
        <translation>&amp;Waagerecht</translation>
    </message>
    <message>
        <source>&amp;Upwards</source>
        <translation>&amp;Senkrecht</translation>
    </message>
    <message>
        <source>Fine &amp;grid</source>
        <translation>Feines &amp;Raster</translation>
    </message>
    <message>
        <source>Draw &amp;over</source>
        <translation>&amp;Parameter der x-Achse</translation>
    </message>
    <message>
        <source>&amp;Back to all charts</source>
        <translation>&amp;Zurück zu allen Diagrammen</translation>
    </message>
    <message>
        <source>&amp;Full size</source>
        <translation>&amp;Volle Größe</translation>
    </message>
    <message>
        <source>&amp;Keep these axes</source>
        <translation>A&amp;chsen so lassen</translation>
    </message>
    <message>
        <source>Show the &amp;numbers</source>
        <translation>Zahl&amp;en anzeigen</translation>
    </message>
    <message>
        <source>Copy &amp;picture</source>
        <translation>&amp;Bild kopieren</translation>
    </message>
    <message>
        <source>Copy n&amp;umbers</source>
        <translation>Zahlen &amp;kopieren</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>E&amp;xportieren…</translation>
    </message>
    <message>
        <source>&amp;Hide this chart</source>
        <translation>Dieses Diagramm &amp;ausblenden</translation>
    </message>
    <message>
        <source>“%1” does not say which kind of file: end it with .png, .svg, .pdf or .csv.</source>
        <translation>„%1“ sagt nicht, welche Art Datei es werden soll: Lassen Sie den Namen auf .png, .svg, .pdf oder .csv enden.</translation>
    </message>
    <message>
        <source>Export chart</source>
        <translation>Diagramm exportieren</translation>
    </message>
    <message>
        <source>Pictures (*.png);;Vector graphics (*.svg);;PDF (*.pdf);;Numbers (*.csv);;All files (*)</source>
        <translation>Bilder (*.png);;Vektorgrafik (*.svg);;PDF (*.pdf);;Zahlen (*.csv);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>The chart was not exported.</source>
        <translation>Das Diagramm wurde nicht exportiert.</translation>
    </message>
    <message>
        <source>Dashboard</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>Charts of the scenario in hand</source>
        <translation>Diagramme des aktuellen Szenarios</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>The scenario in hand beside the pinned ones</source>
        <translation>Das aktuelle Szenario neben den angehefteten</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Planen</translation>
    </message>
    <message>
        <source>The smallest deployment that meets the targets</source>
        <translation>Das kleinste Deployment, das die Ziele erreicht</translation>
    </message>
    <message>
        <source>Catalogue</source>
        <translation>Katalog</translation>
    </message>
    <message>
        <source>Accelerators and models, side by side and as charts</source>
        <translation>Beschleuniger und Modelle, nebeneinander und als Diagramme</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>Lernen</translation>
    </message>
    <message>
        <source>Short lessons on the live window, from what MFU is to where a step of RL goes</source>
        <translation>Kurze Lektionen im laufenden Fenster, von der Frage, was MFU ist, bis dahin, wohin ein Schritt von RL geht</translation>
    </message>
    <message>
        <source>Glossary</source>
        <translation>Glossar</translation>
    </message>
    <message>
        <source>Every term, metric and parameter in one or two sentences</source>
        <translation>Jeder Begriff, jede Kennzahl und jeder Parameter in ein, zwei Sätzen</translation>
    </message>
    <message>
        <source>page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>chart</source>
        <translation>Diagramm</translation>
    </message>
    <message>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Model %1</source>
        <translation>Modell %1</translation>
    </message>
    <message>
        <source>accelerator</source>
        <translation>Beschleuniger</translation>
    </message>
    <message>
        <source>Accelerator %1</source>
        <translation>Beschleuniger %1</translation>
    </message>
    <message>
        <source>parameter</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Draw charts over %1</source>
        <translation>Diagramme über %1 zeichnen</translation>
    </message>
    <message>
        <source>Play %1</source>
        <translation>%1 abspielen</translation>
    </message>
    <message>
        <source>Plays it: it moves until a key or a click</source>
        <translation>Bewegt ihn von selbst, bis zu einer Taste oder einem Klick</translation>
    </message>
    <message>
        <source>metric</source>
        <translation>Kennzahl</translation>
    </message>
    <message>
        <source>example</source>
        <translation>Beispiel</translation>
    </message>
    <message>
        <source>lesson</source>
        <translation>Lektion</translation>
    </message>
    <message>
        <source>term</source>
        <translation>Begriff</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>Point of the chart %1</source>
        <translation>Punkt des Diagramms %1</translation>
    </message>
    <message>
        <source>Back to what is in hand</source>
        <translation>Zurück zum Aktuellen</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>%1 in the glossary</source>
        <translation>%1 im Glossar</translation>
    </message>
    <message>
        <source>%1 (95th percentile %2)</source>
        <translation>%1 (95. Perzentil %2)</translation>
    </message>
    <message>
        <source>%1 users who think for %2</source>
        <translation>%1 Nutzer, die %2 nachdenken</translation>
    </message>
    <message>
        <source>%1 requests/s</source>
        <translation>%1 Anfragen/s</translation>
    </message>
    <message>
        <source>prompt %1, output %2 tokens</source>
        <translation>Prompt %1, Ausgabe %2 Token</translation>
    </message>
    <message>
        <source>TTFT at most %1</source>
        <translation>TTFT höchstens %1</translation>
    </message>
    <message>
        <source>TPOT at most %1</source>
        <translation>TPOT höchstens %1</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>sequences of %1 tokens</source>
        <translation>Sequenzen von %1 Token</translation>
    </message>
    <message>
        <source>steps of %1 prompts with %2 answers of %3 tokens</source>
        <translation>Schritte von %1 Prompts mit %2 Antworten von %3 Token</translation>
    </message>
    <message>
        <source>global batch %1</source>
        <translation>globaler Batch %1</translation>
    </message>
    <message>
        <source>failures counted</source>
        <translation>Ausfälle gezählt</translation>
    </message>
    <message>
        <source>within %1</source>
        <translation>innerhalb von %1</translation>
    </message>
    <message>
        <source>for at most %1</source>
        <translation>für höchstens %1</translation>
    </message>
    <message>
        <source>cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>MFU</source>
        <translation>MFU</translation>
    </message>
    <message>
        <source>at most %1 an hour</source>
        <translation>höchstens %1 pro Stunde</translation>
    </message>
    <message>
        <source>%1 GPUs</source>
        <translation>%1 GPUs</translation>
    </message>
    <message>
        <source>%1 to %2 GPUs</source>
        <translation>%1 bis %2 GPUs</translation>
    </message>
    <message>
        <source>targets held at the slow end of the 80 % interval</source>
        <translation>Ziele am langsamen Ende des 80-%-Intervalls gehalten</translation>
    </message>
    <message>
        <source>best by %1</source>
        <translation>am besten nach %1</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Ranking</source>
        <translation>Rangliste</translation>
    </message>
    <message>
        <source>Growth</source>
        <translation>Wachstum</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Pr&amp;eferences…</source>
        <translation>E&amp;instellungen…</translation>
    </message>
    <message>
        <source>Theme, text size, unit of memory, next start</source>
        <translation>Farbschema, Schriftgröße, Einheit des Speichers, nächster Start</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>Open the help about the part of the window with the keyboard focus; press again to go back</source>
        <translation>Über den Teil des Fensters lesen, der die Tastatur hat; noch einmal: zurück</translation>
    </message>
    <message>
        <source>&amp;What is this?</source>
        <translation>&amp;Was ist das?</translation>
    </message>
    <message>
        <source>Then click an item, or press Enter for the one with the keyboard focus</source>
        <translation>Klicken Sie dann etwas an, oder drücken Sie die Eingabetaste für das Element mit dem Tastaturfokus</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Farbschema</translation>
    </message>
    <message>
        <source>Ctrl+D changes between light and dark.</source>
        <translation>Strg+D wechselt zwischen hell und dunkel.</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>Wie der Desktop</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Hoher Kontrast</translation>
    </message>
    <message>
        <source>Text &amp;size</source>
        <translation>&amp;Schriftgröße</translation>
    </message>
    <message>
        <source>In per cent of the desktop&apos;s. Ctrl++ and Ctrl+- change it too.</source>
        <translation>In Prozent der Größe des Desktops. Auch Strg++ und Strg+- ändern sie.</translation>
    </message>
    <message>
        <source>&amp;Memory in</source>
        <translation>S&amp;peicher in</translation>
    </message>
    <message>
        <source>Amounts of memory on the screen. Bandwidths, files and tables stay decimal.</source>
        <translation>Speichermengen auf dem Bildschirm. Bandbreiten, Dateien und Tabellen bleiben dezimal.</translation>
    </message>
    <message>
        <source>GB (10⁹ bytes)</source>
        <translation>GB (10⁹ Byte)</translation>
    </message>
    <message>
        <source>GiB (2³⁰ bytes)</source>
        <translation>GiB (2³⁰ Byte)</translation>
    </message>
    <message>
        <source>Next st&amp;art</source>
        <translation>&amp;Nächster Start</translation>
    </message>
    <message>
        <source>Without a file to open.</source>
        <translation>Ohne eine Datei zum Öffnen.</translation>
    </message>
    <message>
        <source>Straight to the dashboard</source>
        <translation>Gleich zur Übersicht</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>Kennzahl</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>Aufteilung</translation>
    </message>
    <message>
        <source>Tightest limit</source>
        <translation>Engste Grenze</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Cheapest</source>
        <translation>Am billigsten</translation>
    </message>
    <message>
        <source>Loc&amp;k row</source>
        <translation>Zei&amp;le sperren</translation>
    </message>
    <message>
        <source>Lock the parameter in hand, or unlock it</source>
        <translation>Den gewählten Parameter sperren oder wieder freigeben</translation>
    </message>
    <message>
        <source>&amp;Present</source>
        <translation>&amp;Präsentieren</translation>
    </message>
    <message>
        <source>Show the saved views full screen, or this scenario where there are none</source>
        <translation>Die gespeicherten Ansichten auf dem ganzen Bildschirm zeigen, oder dieses Szenario, wo es keine gibt</translation>
    </message>
    <message>
        <source>Present t&amp;his scenario</source>
        <translation>Dieses &amp;Szenario präsentieren</translation>
    </message>
    <message>
        <source>Show the scenario in hand full screen</source>
        <translation>Das aktuelle Szenario auf dem ganzen Bildschirm zeigen</translation>
    </message>
    <message>
        <source>High contrast, dark</source>
        <translation>Hoher Kontrast, dunkel</translation>
    </message>
    <message>
        <source>Export table</source>
        <translation>Tabelle exportieren</translation>
    </message>
    <message>
        <source>Numbers (*.csv);;All files (*)</source>
        <translation>Zahlen (*.csv);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>“%1” cannot be written.</source>
        <translation>„%1“ kann nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>&amp;Views…</source>
        <translation>&amp;Ansichten…</translation>
    </message>
    <message>
        <source>The saved views of a talk: add, order, name, charts, sliders, notes</source>
        <translation>Die gespeicherten Ansichten eines Vortrags: hinzufügen, ordnen, Name, Diagramme, Regler, Notizen</translation>
    </message>
    <message>
        <source>Export vie&amp;ws…</source>
        <translation>Ansichten exp&amp;ortieren…</translation>
    </message>
    <message>
        <source>Save the views of the talk as a PDF, one a page</source>
        <translation>Die Ansichten des Vortrags als PDF speichern, eine je Seite</translation>
    </message>
    <message>
        <source>observed</source>
        <translation>beobachtet</translation>
    </message>
    <message>
        <source>calibrated</source>
        <translation>kalibriert</translation>
    </message>
    <message>
        <source>Cannot be evaluated: %1</source>
        <translation>Nicht berechenbar: %1</translation>
    </message>
    <message>
        <source>Does not fit: %1</source>
        <translation>Passt nicht: %1</translation>
    </message>
    <message>
        <source>PDF (*.pdf);;All files (*)</source>
        <translation>PDF (*.pdf);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Load and targets</source>
        <translation>Last und Ziele</translation>
    </message>
    <message>
        <source>Show it: %1</source>
        <translation>Zeigen: %1</translation>
    </message>
    <message>
        <source>both</source>
        <translation>beides</translation>
    </message>
    <message>
        <source>keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>what one does there</source>
        <translation>was man dort tut</translation>
    </message>
    <message>
        <source>preference</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>choices</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Anmerkung</translation>
    </message>
    <message>
        <source>on, off</source>
        <translation>an, aus</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>what it is</source>
        <translation>was es ist</translation>
    </message>
    <message>
        <source>what it shows</source>
        <translation>was es zeigt</translation>
    </message>
    <message>
        <source>formula</source>
        <translation>Formel</translation>
    </message>
    <message>
        <source>convention</source>
        <translation>Konvention</translation>
    </message>
    <message>
        <source>FLOP a token of a step</source>
        <translation>FLOP pro Token eines Schritts</translation>
    </message>
    <message>
        <source>used by</source>
        <translation>benutzt von</translation>
    </message>
    <message>
        <source>what it does</source>
        <translation>was sie tun</translation>
    </message>
    <message>
        <source> or </source>
        <translation> oder </translation>
    </message>
    <message>
        <source>Often mistaken: %1</source>
        <translation>Häufiger Fehler: %1</translation>
    </message>
    <message>
        <source>More in the glossary</source>
        <translation>Mehr im Glossar</translation>
    </message>
    <message>
        <source>Help: %1</source>
        <translation>Hilfe: %1</translation>
    </message>
    <message>
        <source>Shift+F1: more in the glossary</source>
        <translation>Umschalt+F1: mehr im Glossar</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>How the window works, page by page</source>
        <translation>Wie das Fenster funktioniert, Seite für Seite</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>&amp;Sprache</translation>
    </message>
    <message>
        <source>From the next start on.</source>
        <translation>Vom nächsten Start an.</translation>
    </message>
    <message>
        <source>%1 at %2 an hour</source>
        <translation>%1 zu %2 pro Stunde</translation>
    </message>
    <message>
        <source>%1, price unknown</source>
        <translation>%1, Preis unbekannt</translation>
    </message>
    <message>
        <source>Compared: %1.</source>
        <translation>Verglichen: %1.</translation>
    </message>
    <message>
        <source>The report was not written.</source>
        <translation>Der Bericht wurde nicht geschrieben.</translation>
    </message>
    <message>
        <source>Export report</source>
        <translation>Bericht exportieren</translation>
    </message>
    <message>
        <source>No recent files</source>
        <translation>Keine zuletzt verwendeten Dateien</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>Zuletzt &amp;verwendet</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Scenario</source>
        <translation>&amp;Szenario</translation>
    </message>
    <message>
        <source>&amp;Your runs</source>
        <translation>&amp;Eigene Läufe</translation>
    </message>
    <message>
        <source>E&amp;xamples</source>
        <translation>Be&amp;ispiele</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Charts</source>
        <translation>&amp;Diagramme</translation>
    </message>
    <message>
        <source>&amp;Lessons</source>
        <translation>&amp;Lektionen</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Move the keyboard focus to the next part: parameters, lesson, tiles, page, explanation, tabs</source>
        <translation>Die Tastatur weiterführen: Parameter, Lektion, Kacheln, Seite, Erklärung, Reiter</translation>
    </message>
    <message>
        <source>Move the keyboard focus to the previous part</source>
        <translation>Die Tastatur zum vorigen Teil zurückführen</translation>
    </message>
    <message>
        <source>Next p&amp;ane</source>
        <translation>Nächster &amp;Bereich</translation>
    </message>
    <message>
        <source>Pane &amp;before</source>
        <translation>Vo&amp;riger Bereich</translation>
    </message>
    <message>
        <source>Import pro&amp;file…</source>
        <translation>&amp;Profil importieren…</translation>
    </message>
    <message>
        <source>Read a profile of a step: PyTorch profiler traces, Nsight Systems exports, one file a rank</source>
        <translation>Ein Profil eines Schritts lesen: Traces des PyTorch-Profilers, Exporte von Nsight Systems, eine Datei je Rang</translation>
    </message>
    <message>
        <source>&amp;Four ways to begin</source>
        <translation>&amp;Vier Wege zum Anfang</translation>
    </message>
    <message>
        <source>Explore, your own run, learn or plan: what the first start offers</source>
        <translation>Erkunden, eigener Lauf, Lernen oder Planen: was der erste Start anbietet</translation>
    </message>
    <message>
        <source>Offer four ways to begin</source>
        <translation>Vier Wege zum Anfang anbieten</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Your runs over time: filter, open, compare</source>
        <translation>Ihre Läufe im Lauf der Zeit: filtern, öffnen, vergleichen</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>Nebeneinander</translation>
    </message>
    <message>
        <source>Predicted by Headroom %1 on %2; prices in %3.</source>
        <translation>Vorhergesagt von Headroom %1 am %2; Preise in %3.</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>Differenz</translation>
    </message>
    <message>
        <source>Profile beside the prediction</source>
        <translation>Profil neben der Vorhersage</translation>
    </message>
    <message>
        <source>What it says to change, largest gain first</source>
        <translation>Was es zu ändern rät, das mit dem größten Gewinn zuerst</translation>
    </message>
    <message>
        <source>Part, as profiled</source>
        <translation>Teil, wie aufgezeichnet</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>What the profile says to change</source>
        <translation>Was das Profil zu ändern rät</translation>
    </message>
    <message>
        <source>Kernels by name</source>
        <translation>Kernel mit Namen</translation>
    </message>
    <message>
        <source>&amp;Kernel names</source>
        <translation>&amp;Kernelnamen</translation>
    </message>
    <message>
        <source>Kept with an imported profile. They may reveal your work.</source>
        <translation>Bleiben bei einem importierten Profil. Sie können von Ihrer Arbeit erzählen.</translation>
    </message>
    <message>
        <source>Keep none</source>
        <translation>Keine behalten</translation>
    </message>
    <message>
        <source>Those that are not recognised</source>
        <translation>Die nicht erkannten</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Headroom found no step, and no several together, with which the same work in the same precision would take less time.</source>
        <translation>Headroom fand keinen Schritt und auch nicht mehrere zusammen, mit denen dieselbe Arbeit in derselben Präzision weniger Zeit bräuchte.</translation>
    </message>
    <message>
        <source>Notes on this result</source>
        <translation>Hinweise zu diesem Ergebnis</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>%1 zeigen</translation>
    </message>
    <message>
        <source>P&amp;hases of the training…</source>
        <translation>P&amp;hasen des Trainings…</translation>
    </message>
    <message>
        <source>State the parts of a long training that differ in sequence length, batch, GPUs or layout</source>
        <translation>Teile eines langen Trainings angeben, die sich in Sequenzlänge, Batch, GPUs oder Aufteilung unterscheiden</translation>
    </message>
    <message>
        <source>What comes nearest</source>
        <translation>Was am nächsten kommt</translation>
    </message>
    <message>
        <source>80 % intervals</source>
        <translation>80-%-Intervalle</translation>
    </message>
    <message>
        <source>Four in five comparable runs lie within the brackets.</source>
        <translation>Vier von fünf vergleichbaren Läufen liegen in den Klammern.</translation>
    </message>
    <message>
        <source>%1 (%2 to %3)</source>
        <translation>%1 (%2 bis %3)</translation>
    </message>
    <message>
        <source>Phases of the training</source>
        <translation>Phasen des Trainings</translation>
    </message>
    <message>
        <source>&amp;Undo “%1”</source>
        <translation>&amp;Rückgängig: „%1“</translation>
    </message>
    <message>
        <source>&amp;Redo “%1”</source>
        <translation>&amp;Wiederholen: „%1“</translation>
    </message>
    <message>
        <source>State a load, or the tokens of a training run, to see what multiples of it need.</source>
        <translation>Geben Sie eine Last an, oder die Token eines Trainingslaufs, um zu sehen, was ein Vielfaches davon braucht.</translation>
    </message>
    <message>
        <source>The cheapest deployment as the load (of a training run: its tokens) becomes a multiple of today&apos;s.</source>
        <translation>Das billigste Deployment, wenn die Last (beim Training: die Token) zum Vielfachen der heutigen wird.</translation>
    </message>
    <message>
        <source>The report is in %1.</source>
        <translation>Der Bericht liegt in %1.</translation>
    </message>
    <message>
        <source>The numbers are in the clipboard.</source>
        <translation>Die Zahlen sind in der Zwischenablage.</translation>
    </message>
    <message>
        <source>The chart is in %1.</source>
        <translation>Das Diagramm liegt in %1.</translation>
    </message>
    <message>
        <source>The table is in the clipboard.</source>
        <translation>Die Tabelle ist in der Zwischenablage.</translation>
    </message>
    <message>
        <source>The table is in %1.</source>
        <translation>Die Tabelle liegt in %1.</translation>
    </message>
    <message>
        <source>Custom model</source>
        <translation>Eigenes Modell</translation>
    </message>
    <message>
        <source>described in the scenario file</source>
        <translation>in der Szenariodatei beschrieben</translation>
    </message>
    <message>
        <source>Custom accelerator</source>
        <translation>Eigener Beschleuniger</translation>
    </message>
</context>
<context>
    <name>headroom::ui::Actions</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
</context>
<context>
    <name>headroom::ui::AskedPlan</name>
    <message>
        <source>Question of the plan</source>
        <translation>Frage des Plans</translation>
    </message>
</context>
<context>
    <name>headroom::ui::BoundsEditor</name>
    <message>
        <source>Slider of %1</source>
        <translation>Regler von %1</translation>
    </message>
    <message>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>Lower end of the slider of %1</source>
        <translation>Unteres Ende des Reglers von %1</translation>
    </message>
    <message>
        <source>Upper end of the slider of %1</source>
        <translation>Oberes Ende des Reglers von %1</translation>
    </message>
    <message>
        <source>Usual ends</source>
        <translation>Übliche Enden</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>“%1” is not a number.</source>
        <translation>„%1“ ist keine Zahl.</translation>
    </message>
    <message>
        <source>The lower end must lie below the upper one.</source>
        <translation>Das untere Ende muss unter dem oberen liegen.</translation>
    </message>
    <message>
        <source>Possible from %1 to %2.</source>
        <translation>Möglich von %1 bis %2.</translation>
    </message>
</context>
<context>
    <name>headroom::ui::CatalogCharts</name>
    <message>
        <source>BF16</source>
        <translation>BF16</translation>
    </message>
    <message>
        <source>FP8</source>
        <translation>FP8</translation>
    </message>
    <message>
        <source>FP4</source>
        <translation>FP4</translation>
    </message>
    <message>
        <source>INT8</source>
        <translation>INT8</translation>
    </message>
    <message>
        <source>Precision of the charted peak</source>
        <translation>Präzision der gezeigten Spitzenleistung</translation>
    </message>
    <message>
        <source>Chart the peak in</source>
        <translation>Spitzenleistung zeigen in</translation>
    </message>
</context>
<context>
    <name>headroom::ui::CatalogEditor</name>
    <message>
        <source>%1 (copy)</source>
        <translation>%1 (Kopie)</translation>
    </message>
    <message>
        <source>“%1” could not be kept.</source>
        <translation>„%1“ konnte nicht aufgehoben werden.</translation>
    </message>
    <message>
        <source>Edit accelerator</source>
        <translation>Beschleuniger bearbeiten</translation>
    </message>
    <message>
        <source>Duplicate accelerator</source>
        <translation>Beschleuniger duplizieren</translation>
    </message>
    <message>
        <source>Edit model</source>
        <translation>Modell bearbeiten</translation>
    </message>
    <message>
        <source>Duplicate model</source>
        <translation>Modell duplizieren</translation>
    </message>
    <message>
        <source>Remove “%1” from your catalogue?</source>
        <translation>„%1“ aus Ihrem Katalog entfernen?</translation>
    </message>
    <message>
        <source>Its file is deleted. A built-in entry that it replaced comes back.</source>
        <translation>Die Datei wird gelöscht. Ein mitgelieferter Eintrag, den sie ersetzt hat, kommt zurück.</translation>
    </message>
    <message>
        <source>“%1” could not be removed.</source>
        <translation>„%1“ konnte nicht entfernt werden.</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Accelerator</source>
        <translation>Beschleuniger</translation>
    </message>
    <message>
        <source>“%1” cannot be imported.</source>
        <translation>„%1“ ist nichts, was sich importieren lässt.</translation>
    </message>
    <message>
        <source>“%1” says only how a model is stored.</source>
        <translation>„%1“ sagt nur, wie ein Modell gespeichert ist.</translation>
    </message>
    <message>
        <source>“%1” is not a catalogue entry that Headroom can read.</source>
        <translation>„%1“ ist kein Katalogeintrag, den Headroom lesen kann.</translation>
    </message>
    <message>
        <source>Replace the price list “%1”?</source>
        <translation>Die Preisliste „%1“ ersetzen?</translation>
    </message>
    <message>
        <source>It is of %1.</source>
        <translation>Sie ist vom %1.</translation>
    </message>
    <message>
        <source>“%1” is not a price list that Headroom can read.</source>
        <translation>„%1“ ist keine Preisliste, die Headroom lesen kann.</translation>
    </message>
    <message>
        <source>“%1” is in your catalogue already.</source>
        <translation>„%1“ ist schon in Ihrem Katalog.</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>&amp;Replace</source>
        <translation>&amp;Ersetzen</translation>
    </message>
    <message>
        <source>Prices are those of “%1”, of %2.</source>
        <translation>Es gelten die Preise aus „%1“ vom %2.</translation>
    </message>
</context>
<context>
    <name>headroom::ui::CatalogList</name>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Accelerators</source>
        <translation>Beschleuniger</translation>
    </message>
</context>
<context>
    <name>headroom::ui::CatalogPage</name>
    <message>
        <source>Search models</source>
        <translation>Modelle durchsuchen</translation>
    </message>
    <message>
        <source>Search accelerators</source>
        <translation>Beschleuniger durchsuchen</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Accelerators</source>
        <translation>Beschleuniger</translation>
    </message>
    <message>
        <source>All families</source>
        <translation>Alle Familien</translation>
    </message>
    <message>
        <source>All vendors</source>
        <translation>Alle Hersteller</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>Familie</translation>
    </message>
    <message>
        <source>Vendor</source>
        <translation>Hersteller</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>… and %1 more</source>
        <translation>… und %1 weitere</translation>
    </message>
    <message>
        <source>Files of your catalogue that were passed over:</source>
        <translation>Übergangene Dateien Ihres Katalogs:</translation>
    </message>
    <message>
        <source>Catalogue of</source>
        <translation>Katalog der</translation>
    </message>
    <message>
        <source>Only yours</source>
        <translation>Nur eigene</translation>
    </message>
</context>
<context>
    <name>headroom::ui::CatalogPicker</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>headroom::ui::CatalogTableModel</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>%1 · yours</source>
        <translation>%1 · eigen</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>none known</source>
        <translation>keine bekannt</translation>
    </message>
</context>
<context>
    <name>headroom::ui::ChartCommands</name>
    <message>
        <source>Point at a chart first, or take the keyboard to it.</source>
        <translation>Zeigen Sie erst auf ein Diagramm, oder gehen Sie mit der Tastatur dorthin.</translation>
    </message>
</context>
<context>
    <name>headroom::ui::ChartMenuButton</name>
    <message>
        <source>Menu of the chart</source>
        <translation>Menü des Diagramms</translation>
    </message>
    <message>
        <source>What it is drawn over, its numbers, export</source>
        <translation>Worüber es gezeichnet ist, seine Zahlen, Export</translation>
    </message>
</context>
<context>
    <name>headroom::ui::ChartView</name>
    <message>
        <source>Chart</source>
        <translation>Diagramm</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>passt nicht</translation>
    </message>
    <message>
        <source>The picture is in the clipboard.</source>
        <translation>Das Bild ist in der Zwischenablage.</translation>
    </message>
</context>
<context>
    <name>headroom::ui::ChoiceButton</name>
    <message>
        <source>Answer %1: %2</source>
        <translation>Antwort %1: %2</translation>
    </message>
    <message>
        <source>%1, your answer</source>
        <translation>%1, Ihre Antwort</translation>
    </message>
    <message>
        <source>%1, right</source>
        <translation>%1, richtig</translation>
    </message>
    <message>
        <source>%1, your answer, not so</source>
        <translation>%1, Ihre Antwort, nicht richtig</translation>
    </message>
</context>
<context>
    <name>headroom::ui::ChoiceList</name>
    <message>
        <source>%1 · %2</source>
        <comment>place among the ticked, name</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>At least %1</source>
        <translation>Mindestens %1</translation>
    </message>
    <message>
        <source>At most %1</source>
        <translation>Höchstens %1</translation>
    </message>
    <message>
        <source>%1, ticked</source>
        <translation>%1, angehakt</translation>
    </message>
    <message>
        <source>%1, not ticked</source>
        <translation>%1, nicht angehakt</translation>
    </message>
</context>
<context>
    <name>headroom::ui::ClassResults</name>
    <message>
        <source>%1 of %2, %3</source>
        <translation>%1 von %2, %3</translation>
    </message>
    <message>
        <source>Save my results…</source>
        <translation>Meine Ergebnisse speichern…</translation>
    </message>
    <message>
        <source>Open results of a class…</source>
        <translation>Ergebnisse einer Klasse öffnen…</translation>
    </message>
    <message>
        <source>Learners</source>
        <translation>Lernende</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Your answers and the number of tries, as a file for the teacher. The files of a class are summed up here and stay on this machine.</source>
        <translation>Was Sie geantwortet haben und wie viele Versuche es brauchte, als Datei für die Lehrkraft. Die Dateien einer Klasse werden hier zusammengefasst; sie bleiben auf diesem Rechner.</translation>
    </message>
    <message>
        <source>Your name</source>
        <translation>Ihr Name</translation>
    </message>
    <message>
        <source>Save my results</source>
        <translation>Meine Ergebnisse speichern</translation>
    </message>
    <message>
        <source>Results of lessons (*.headroom-results);;All files (*)</source>
        <translation>Ergebnisse von Lektionen (*.headroom-results);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>“%1” cannot be written.</source>
        <translation>„%1“ kann nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>Some files hold no results of lessons and are left out.</source>
        <translation>Einige Dateien sind keine Ergebnisse von Lektionen; sie bleiben weg.</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Lessons done</source>
        <translation>Lektionen beendet</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>Richtig</translation>
    </message>
    <message>
        <source>Tries</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>Hints</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>Lektion</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Tries, mean</source>
        <translation>Versuche im Mittel</translation>
    </message>
    <message>
        <source>Most frequent mistake</source>
        <translation>Häufigster Fehler</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>One learner.</source>
        <translation>Eine Person.</translation>
    </message>
    <message>
        <source>%1 learners.</source>
        <translation>%1 Lernende.</translation>
    </message>
    <message>
        <source>Answer a question of a lesson first</source>
        <translation>Beantworten Sie zuerst eine Frage einer Lektion</translation>
    </message>
    <message>
        <source>Type your name first</source>
        <translation>Geben Sie zuerst Ihren Namen ein</translation>
    </message>
    <message>
        <source>A file with your name, answers and tries</source>
        <translation>Eine Datei mit Ihrem Namen, Ihren Antworten und Versuchen</translation>
    </message>
</context>
<context>
    <name>headroom::ui::CommandPalette</name>
    <message>
        <source>Find a command, a model, a GPU, a parameter, a metric, a lesson or a term</source>
        <translation>Befehl, Modell, GPU, Parameter, Kennzahl, Lektion oder Begriff suchen</translation>
    </message>
    <message>
        <source>Find anything</source>
        <translation>Alles durchsuchen</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>Was gefunden wurde</translation>
    </message>
</context>
<context>
    <name>headroom::ui::CompareModel</name>
    <message>
        <source>now %1</source>
        <translation>jetzt %1</translation>
    </message>
    <message>
        <source>, the best</source>
        <translation>, der beste Wert</translation>
    </message>
    <message>
        <source>, now %1</source>
        <translation>, jetzt %1</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>%1 (does not fit)</source>
        <translation>%1 (passt nicht)</translation>
    </message>
    <message>
        <source>%1 (cannot be evaluated)</source>
        <translation>%1 (nicht berechenbar)</translation>
    </message>
    <message>
        <source>%1 (%2: not ranked)</source>
        <translation>%1 (%2: nicht gewertet)</translation>
    </message>
</context>
<context>
    <name>headroom::ui::ComparePage</name>
    <message>
        <source>Metrics of the scenario in hand and of the pins</source>
        <translation>Kennzahlen des aktuellen Szenarios und der angehefteten</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>Was sich geändert hat</translation>
    </message>
    <message>
        <source>Pin what is in hand</source>
        <translation>Aktuelles anheften</translation>
    </message>
    <message>
        <source>Pin this scenario for comparison</source>
        <translation>Dieses Szenario neben dem aktuellen behalten</translation>
    </message>
    <message>
        <source>Swap with %1</source>
        <translation>Mit %1 tauschen</translation>
    </message>
    <message>
        <source>Take the pinned scenario in hand and pin this one instead</source>
        <translation>Mit dem angehefteten Szenario weiterarbeiten und dieses stattdessen anheften</translation>
    </message>
    <message>
        <source>Forget the pins</source>
        <translation>Pins lösen</translation>
    </message>
    <message>
        <source>Forget the pinned scenarios</source>
        <translation>Alle angehefteten Szenarien lösen</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>Als Markdown kopieren</translation>
    </message>
    <message>
        <source>The table and what changed, as text for a wiki or an issue</source>
        <translation>Die Tabelle und was sich geändert hat, als Text für ein Wiki oder ein Ticket</translation>
    </message>
    <message>
        <source>Export CSV…</source>
        <translation>CSV exportieren…</translation>
    </message>
    <message>
        <source>The figures in full precision</source>
        <translation>Die Zahlen mit allen Stellen</translation>
    </message>
    <message>
        <source>Nothing is pinned yet</source>
        <translation>Noch nichts angeheftet</translation>
    </message>
    <message>
        <source>Pin the scenario in hand, then move a slider: both stand here side by side, up to three pins at once.</source>
        <translation>Heften Sie das aktuelle Szenario an und bewegen Sie dann einen Regler: Beide stehen hier nebeneinander, bis zu drei angeheftete zugleich.</translation>
    </message>
    <message>
        <source>What changed from %1</source>
        <translation>Was sich gegenüber %1 geändert hat</translation>
    </message>
    <message>
        <source>Nothing.</source>
        <translation>Nichts.</translation>
    </message>
    <message>
        <source>Export comparison</source>
        <translation>Vergleich exportieren</translation>
    </message>
    <message>
        <source>Numbers (*.csv);;All files (*)</source>
        <translation>Zahlen (*.csv);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>“%1” cannot be written.</source>
        <translation>„%1“ kann nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>The scenario in hand</source>
        <translation>Das aktuelle Szenario</translation>
    </message>
    <message>
        <source>Pin %1</source>
        <translation>Angeheftet %1</translation>
    </message>
    <message>
        <source>%1 cannot be evaluated</source>
        <translation>%1 ist nicht berechenbar</translation>
    </message>
    <message>
        <source>Name of %1</source>
        <translation>Name von %1</translation>
    </message>
    <message>
        <source>Name of pin %1</source>
        <translation>Name von Pin %1</translation>
    </message>
    <message>
        <source>What this pin is called on charts, in the table and in reports; saved with the file</source>
        <translation>Wie dieser Pin in Diagrammen, in der Tabelle und in Berichten heißt; wird mit der Datei gespeichert</translation>
    </message>
    <message>
        <source>Profiles, part by part</source>
        <translation>Profile, Teil für Teil</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>The comparison is in the clipboard.</source>
        <translation>Der Vergleich ist in der Zwischenablage.</translation>
    </message>
    <message>
        <source>The comparison is in %1.</source>
        <translation>Der Vergleich liegt in %1.</translation>
    </message>
</context>
<context>
    <name>headroom::ui::DataTable</name>
    <message>
        <source>Numbers of the chart</source>
        <translation>Zahlen des Diagramms</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
</context>
<context>
    <name>headroom::ui::DevicePopup</name>
    <message>
        <source>Search accelerators</source>
        <translation>Beschleuniger durchsuchen</translation>
    </message>
    <message>
        <source>Accelerators to compare: search, Enter ticks, Escape closes</source>
        <translation>Zu vergleichende Beschleuniger: suchen, Eingabe hakt an, Esc schließt</translation>
    </message>
    <message>
        <source>Accelerators to compare</source>
        <translation>Zu vergleichende Beschleuniger</translation>
    </message>
</context>
<context>
    <name>headroom::ui::DocumentController</name>
    <message>
        <source>“%1” cannot be read.</source>
        <translation>„%1“ kann nicht gelesen werden.</translation>
    </message>
    <message>
        <source>“%1” is not a scenario that Headroom can open. The open scenario is unchanged.</source>
        <translation>„%1“ ist kein Szenario, das Headroom öffnen kann. Das offene Szenario ist unverändert.</translation>
    </message>
    <message>
        <source>“%1” cannot be written. What was there before is intact.</source>
        <translation>„%1“ kann nicht geschrieben werden. Was vorher dort stand, ist unversehrt.</translation>
    </message>
    <message>
        <source>The clipboard does not hold a scenario.</source>
        <translation>Die Zwischenablage enthält kein Szenario.</translation>
    </message>
    <message>
        <source>Paste scenario</source>
        <translation>Szenario einfügen</translation>
    </message>
    <message>
        <source>Save over “%1”?</source>
        <translation>„%1“ überschreiben?</translation>
    </message>
    <message>
        <source>Another window or program has changed the file since it was last opened or saved here. Saving would lose that change; “Save as” keeps both.</source>
        <translation>Ein anderes Fenster oder Programm hat die Datei geändert, seit sie hier zuletzt geöffnet oder gespeichert wurde. Speichern würde diese Änderung verwerfen; „Speichern unter“ behält beides.</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>The scenario is in the clipboard.</source>
        <translation>Das Szenario ist in der Zwischenablage.</translation>
    </message>
</context>
<context>
    <name>headroom::ui::EntryButtons</name>
    <message>
        <source>Use in the scenario</source>
        <translation>Im Szenario verwenden</translation>
    </message>
    <message>
        <source>Put the selected entry into the scenario (Return)</source>
        <translation>Den ausgewählten Eintrag ins Szenario übernehmen (Eingabetaste)</translation>
    </message>
    <message>
        <source>Duplicate…</source>
        <translation>Duplizieren…</translation>
    </message>
    <message>
        <source>Make an entry of your own from the selected one</source>
        <translation>Aus dem ausgewählten Eintrag einen eigenen machen</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten…</translation>
    </message>
    <message>
        <source>Change your entry</source>
        <translation>Den eigenen Eintrag ändern</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Delete the file of your entry</source>
        <translation>Die Datei des eigenen Eintrags löschen</translation>
    </message>
    <message>
        <source>Not published: %1</source>
        <translation>Nicht veröffentlicht: %1</translation>
    </message>
</context>
<context>
    <name>headroom::ui::EntryForm</name>
    <message>
        <source>What follows from the fields</source>
        <translation>Was aus den Feldern folgt</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>must be given</source>
        <translation>muss angegeben sein</translation>
    </message>
    <message>
        <source>is not a number</source>
        <translation>ist keine Zahl</translation>
    </message>
    <message>
        <source>is not a number of %1</source>
        <translation>ist keine Zahl in %1</translation>
    </message>
    <message>
        <source>must not be negative</source>
        <translation>darf nicht negativ sein</translation>
    </message>
    <message>
        <source>must be a whole number</source>
        <translation>muss eine ganze Zahl sein</translation>
    </message>
</context>
<context>
    <name>headroom::ui::Explainer</name>
    <message>
        <source>Convention %1</source>
        <translation>Zählweise %1</translation>
    </message>
</context>
<context>
    <name>headroom::ui::ExplanationPanel</name>
    <message>
        <source>Explanation</source>
        <translation>Erklärung</translation>
    </message>
</context>
<context>
    <name>headroom::ui::FactPanel</name>
    <message>
        <source>Facts of what is selected</source>
        <translation>Angaben zum Ausgewählten</translation>
    </message>
    <message>
        <source>The first four of %1 that are selected</source>
        <translation>Die ersten vier von %1 ausgewählten</translation>
    </message>
    <message>
        <source>Ctrl+click or Shift+arrow: up to four side by side</source>
        <translation>Strg+Klick oder Umschalt+Pfeil: bis zu vier nebeneinander</translation>
    </message>
</context>
<context>
    <name>headroom::ui::GlossaryPage</name>
    <message>
        <source>Search the terms</source>
        <translation>Begriffe durchsuchen</translation>
    </message>
    <message>
        <source>Search the glossary</source>
        <translation>Das Glossar durchsuchen</translation>
    </message>
    <message>
        <source>Terms</source>
        <translation>Begriffe</translation>
    </message>
    <message>
        <source>show</source>
        <translation>anzeigen</translation>
    </message>
    <message>
        <source>Often mistaken: %1</source>
        <translation>Häufiger Fehler: %1</translation>
    </message>
    <message>
        <source>Terms found: %1</source>
        <translation>Gefundene Begriffe: %1</translation>
    </message>
    <message>
        <source>No term has all of these words.</source>
        <translation>Kein Begriff enthält alle diese Wörter.</translation>
    </message>
</context>
<context>
    <name>headroom::ui::GroupHeader</name>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Reset group %1</source>
        <translation>Gruppe %1 zurücksetzen</translation>
    </message>
    <message>
        <source>Back to the defaults of this group</source>
        <translation>Zurück zu den Standardwerten dieser Gruppe</translation>
    </message>
    <message>
        <source>Less</source>
        <translation>Weniger</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 mehr</translation>
    </message>
    <message>
        <source>Fewer rows in %1</source>
        <translation>Weniger Zeilen in %1</translation>
    </message>
    <message>
        <source>More rows in %1</source>
        <translation>Mehr Zeilen in %1</translation>
    </message>
</context>
<context>
    <name>headroom::ui::HelpController</name>
    <message>
        <source>Click an item, or press Enter for the one with the keyboard focus. Escape leaves.</source>
        <translation>Klicken Sie auf etwas, oder drücken Sie die Eingabetaste für das Element mit dem Tastaturfokus; Esc bricht ab.</translation>
    </message>
</context>
<context>
    <name>headroom::ui::HelpDialog</name>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
</context>
<context>
    <name>headroom::ui::HelpView</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>What was read before (Backspace)</source>
        <translation>Was zuvor gelesen wurde (Rücktaste)</translation>
    </message>
    <message>
        <source>Search the help</source>
        <translation>Hilfe durchsuchen</translation>
    </message>
    <message>
        <source>Help pages</source>
        <translation>Seiten der Hilfe</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Help: %1</source>
        <translation>Hilfe: %1</translation>
    </message>
</context>
<context>
    <name>headroom::ui::HistoryModel</name>
    <message>
        <source>–</source>
        <translation>–</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Accelerator</source>
        <translation>Beschleuniger</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>MFU</source>
        <translation>MFU</translation>
    </message>
    <message>
        <source>MBU</source>
        <translation>MBU</translation>
    </message>
    <message>
        <source>Step or token</source>
        <translation>Schritt oder Token</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
</context>
<context>
    <name>headroom::ui::HistoryPage</name>
    <message>
        <source>Search the runs</source>
        <translation>Läufe durchsuchen</translation>
    </message>
    <message>
        <source>By model, accelerator or note</source>
        <translation>Nach Modell, Beschleuniger oder Notiz</translation>
    </message>
    <message>
        <source>Keep the run in hand</source>
        <translation>Aktuellen Lauf behalten</translation>
    </message>
    <message>
        <source>The measured scenario in hand becomes a run of this history</source>
        <translation>Das gemessene aktuelle Szenario wird ein Lauf dieser Liste</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>Importieren…</translation>
    </message>
    <message>
        <source>Read runs of your own from a log or a table</source>
        <translation>Eigene Läufe aus einem Log oder einer Tabelle lesen</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>The run becomes the scenario, with what it measured</source>
        <translation>Der Lauf wird zum Szenario, mit dem, was er gemessen hat</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Up to three runs become the pins of the compare page</source>
        <translation>Bis zu drei Läufe werden auf der Vergleichsseite angeheftet</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Take the selected runs out of the history; undo takes that back</source>
        <translation>Die ausgewählten Läufe aus der Liste nehmen; Rückgängig nimmt das zurück</translation>
    </message>
    <message>
        <source>Runs over time</source>
        <translation>Läufe im Lauf der Zeit</translation>
    </message>
    <message>
        <source>The run could not be kept.</source>
        <translation>Der Lauf konnte nicht aufgehoben werden.</translation>
    </message>
    <message>
        <source>No runs yet. Those kept here stand over time, each with the MFU or MBU that it reached.</source>
        <translation>Noch keine Läufe. Aufgehobene stehen hier in der Reihenfolge der Zeit, jeder mit der MFU oder MBU, die er erreicht hat.</translation>
    </message>
    <message>
        <source>The scenario in hand is a measured run: keep it as the first, or import a log.</source>
        <translation>Das aktuelle Szenario ist ein gemessener Lauf: Heben Sie es als ersten auf, oder importieren Sie ein Log.</translation>
    </message>
    <message>
        <source>Import a log or a table, or enter what the scenario in hand measured (group “Measured” of the parameters) and keep it.</source>
        <translation>Importieren Sie ein Log oder eine Tabelle, oder tragen Sie beim aktuellen Szenario ein, was gemessen wurde (Gruppe „Gemessen“ der Parameter), und heben Sie es auf.</translation>
    </message>
    <message>
        <source>%1 of %2 runs. Kept in %3.</source>
        <translation>%1 von %2 Läufen. Gespeichert in %3.</translation>
    </message>
    <message>
        <source>Compare runs</source>
        <translation>Läufe vergleichen</translation>
    </message>
    <message>
        <source>%1 of %2 run. Kept in %3.</source>
        <translation>%1 von %2 Lauf. Gespeichert in %3.</translation>
    </message>
</context>
<context>
    <name>headroom::ui::ImportDialog</name>
    <message>
        <source>&lt;b&gt;%1 parameters&lt;/b&gt;</source>
        <translation>&lt;b&gt;%1 Parameter&lt;/b&gt;</translation>
    </message>
    <message>
        <source>, &lt;b&gt;%1 active&lt;/b&gt; per token</source>
        <translation>, davon &lt;b&gt;%1 aktiv&lt;/b&gt; pro Token</translation>
    </message>
    <message>
        <source>⚠ The family “%1” is not known: counted as Llama-like, which may be off.</source>
        <translation>⚠ Die Familie „%1“ ist nicht bekannt: gezählt wie Llama, das kann danebenliegen.</translation>
    </message>
    <message>
        <source>Nothing was assumed.</source>
        <translation>Nichts wurde angenommen.</translation>
    </message>
    <message>
        <source>Assumed</source>
        <translation>Angenommen</translation>
    </message>
    <message>
        <source>Use in the scenario</source>
        <translation>Im Szenario verwenden</translation>
    </message>
    <message>
        <source>Keep in my catalogue and use</source>
        <translation>In meinen Katalog aufnehmen und verwenden</translation>
    </message>
    <message>
        <source>Import a model</source>
        <translation>Ein Modell importieren</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
</context>
<context>
    <name>headroom::ui::LearnPage</name>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>Lesson %1, done</source>
        <translation>Lektion %1, erledigt</translation>
    </message>
    <message>
        <source>Lesson %1</source>
        <translation>Lektion %1</translation>
    </message>
    <message>
        <source>Again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Beginnen</translation>
    </message>
    <message>
        <source>Play again: %1, done</source>
        <translation>Noch einmal durchgehen: %1, erledigt</translation>
    </message>
    <message>
        <source>Start: %1</source>
        <translation>Beginnen: %1</translation>
    </message>
    <message>
        <source>Each lesson runs on the live window: you say what you expect, move a slider, and see. Your own scenario waits and comes back. Done: %1 of %2.</source>
        <translation>Jede Lektion läuft im Fenster selbst: Sie sagen, was Sie erwarten, bewegen einen Regler und sehen nach. Ihr eigenes Szenario wartet und kommt zurück. Erledigt: %1 von %2.</translation>
    </message>
    <message>
        <source>From the start</source>
        <translation>Von vorn</translation>
    </message>
    <message>
        <source>From the start: %1</source>
        <translation>Von vorn: %1</translation>
    </message>
    <message>
        <source>Go on at step %1</source>
        <translation>Weiter bei Schritt %1</translation>
    </message>
    <message>
        <source>Go on at step %1: %2</source>
        <translation>Weiter bei Schritt %1: %2</translation>
    </message>
</context>
<context>
    <name>headroom::ui::LessonCard</name>
    <message>
        <source>Your move</source>
        <translation>Jetzt Sie</translation>
    </message>
    <message>
        <source>Hint</source>
        <translation>Tipp</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Leave</source>
        <translation>Verlassen</translation>
    </message>
    <message>
        <source>End the lesson; your scenario comes back</source>
        <translation>Die Lektion beenden; Ihr Szenario kommt zurück</translation>
    </message>
    <message>
        <source>This step from its beginning</source>
        <translation>Diesen Schritt von vorn</translation>
    </message>
    <message>
        <source>Lesson %1 · step %2 of %3</source>
        <translation>Lektion %1 · Schritt %2 von %3</translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>Zu %1 gehen</translation>
    </message>
    <message>
        <source>Choose model…</source>
        <translation>Modell wählen…</translation>
    </message>
    <message>
        <source>Choose accelerator…</source>
        <translation>Beschleuniger wählen…</translation>
    </message>
    <message>
        <source>Lesson %1 · done</source>
        <translation>Lektion %1 · erledigt</translation>
    </message>
    <message>
        <source>Now on your own scenario</source>
        <translation>Nun an Ihrem eigenen Szenario</translation>
    </message>
    <message>
        <source>You foresaw %1 of %2.</source>
        <translation>Sie haben %1 von %2 vorausgesehen.</translation>
    </message>
    <message>
        <source>Sources: %1.</source>
        <translation>Quellen: %1.</translation>
    </message>
    <message>
        <source>To my scenario</source>
        <translation>Zu meinem Szenario</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>Abschließen</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>More in the glossary</source>
        <translation>Mehr im Glossar</translation>
    </message>
    <message>
        <source>Next lesson</source>
        <translation>Nächste Lektion</translation>
    </message>
</context>
<context>
    <name>headroom::ui::LessonPlayer</name>
    <message>
        <source>Lesson “%1”</source>
        <translation>Lektion „%1“</translation>
    </message>
    <message>
        <source>Step %1 of the lesson</source>
        <translation>Schritt %1 der Lektion</translation>
    </message>
</context>
<context>
    <name>headroom::ui::MainWindow</name>
    <message>
        <source>%1 moves by itself; any key or click stops it.</source>
        <translation>%1 bewegt sich von selbst; eine Taste oder ein Klick hält an.</translation>
    </message>
    <message>
        <source>The command line is in the clipboard.</source>
        <translation>Die Befehlszeile ist in der Zwischenablage.</translation>
    </message>
    <message>
        <source>About Headroom</source>
        <translation>Über Headroom</translation>
    </message>
    <message>
        <source>&lt;b&gt;Headroom %1&lt;/b&gt;&lt;br&gt;What-if explorer for the efficiency of large models.&lt;br&gt;&lt;br&gt;Charts by QCustomPlot, window by Qt.&lt;br&gt;Licence: GPL-3.0-or-later.</source>
        <translation>&lt;b&gt;Headroom %1&lt;/b&gt;&lt;br&gt;Was-wäre-wenn-Explorer für die Effizienz großer Modelle.&lt;br&gt;&lt;br&gt;Diagramme mit QCustomPlot, Fenster mit Qt.&lt;br&gt;Lizenz: GPL-3.0-or-later.</translation>
    </message>
    <message>
        <source>%1[*] — Headroom</source>
        <translation>%1[*] — Headroom</translation>
    </message>
    <message>
        <source>Your catalogue: %1</source>
        <translation>Ihr Katalog: %1</translation>
    </message>
    <message>
        <source>Unsaved changes cannot be kept: %1</source>
        <translation>Ungespeicherte Änderungen können nicht gesichert werden: %1</translation>
    </message>
    <message>
        <source>The preferences cannot be kept. They last until Headroom ends.</source>
        <translation>Die Einstellungen lassen sich nicht aufheben. Sie gelten, bis Headroom endet.</translation>
    </message>
</context>
<context>
    <name>headroom::ui::MeasureGuide</name>
    <message>
        <source>Calibrate to my GPU</source>
        <translation>Auf meine GPU kalibrieren</translation>
    </message>
    <message>
        <source>Headroom expects what published runs reached. A script measures what your GPU, driver and PyTorch reach: copies, matrix products, attention and all-reduce by themselves, then decode and training steps of Llama models with random weights, in sizes that fit. It needs Python 3.9 and PyTorch and nothing of Headroom, downloads nothing, and takes about seven minutes in which the GPU should have nothing else to do.</source>
        <translation>Headroom erwartet, was veröffentlichte Läufe erreicht haben. Ein Skript misst, was Ihre GPU, Ihr Treiber und Ihr PyTorch erreichen: Kopien, Matrixprodukte, Attention und All-reduce für sich, dann Decode- und Trainingsschritte von Llama-Modellen mit zufälligen Gewichten, in Größen, die passen. Es braucht Python 3.9 und PyTorch und nichts von Headroom, lädt nichts herunter und dauert etwa sieben Minuten, in denen die GPU sonst nichts zu tun haben sollte.</translation>
    </message>
    <message>
        <source>1. Save the script where the GPU is</source>
        <translation>1. Speichern Sie das Skript dort, wo die GPU ist</translation>
    </message>
    <message>
        <source>&amp;Save the script…</source>
        <translation>&amp;Skript speichern…</translation>
    </message>
    <message>
        <source>2. Run it there</source>
        <translation>2. Führen Sie es dort aus</translation>
    </message>
    <message>
        <source>Command that runs the script</source>
        <translation>Befehl, der das Skript ausführt</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>3. Open what it wrote</source>
        <translation>3. Öffnen Sie, was es geschrieben hat</translation>
    </message>
    <message>
        <source>&amp;Open mine.jsonl…</source>
        <translation>mine.jsonl ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>4. Move the expectation</source>
        <translation>4. Rücken Sie die Erwartung nach</translation>
    </message>
    <message>
        <source>A few multipliers bring the predictions onto your runs. Tiles, charts and the status line say that they are in force; undo or the same button takes them back.</source>
        <translation>Einige wenige Faktoren bringen die Vorhersagen auf Ihre Läufe. Kacheln, Diagramme und die Statuszeile sagen, dass sie gelten; Rückgängig oder derselbe Knopf nimmt sie zurück.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Save the measuring script</source>
        <translation>Messskript speichern</translation>
    </message>
    <message>
        <source>Python (*.py);;All files (*)</source>
        <translation>Python (*.py);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>The script was not saved.</source>
        <translation>Das Skript wurde nicht gespeichert.</translation>
    </message>
    <message>
        <source>“%1”: %2</source>
        <translation>„%1“: %2</translation>
    </message>
    <message>
        <source>Saved in %1: %2. They belong together.</source>
        <translation>Gespeichert in %1: %2. Sie gehören zusammen.</translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message>
        <source>%1 from “%2”. They lie on the charts beside the prediction.</source>
        <translation>%1 aus „%2“. Auf den Diagrammen steht das Gemessene neben der Vorhersage.</translation>
    </message>
    <message>
        <source>&amp;Back to the built-in calibration</source>
        <translation>Zurück zur &amp;mitgelieferten Kalibrierung</translation>
    </message>
    <message>
        <source>C&amp;alibrate to %1</source>
        <translation>Auf %1 k&amp;alibrieren</translation>
    </message>
    <message>
        <source>C&amp;alibrate</source>
        <translation>K&amp;alibrieren</translation>
    </message>
</context>
<context>
    <name>headroom::ui::MessageBar</name>
    <message>
        <source>Remedy: %1</source>
        <translation>Abhilfe: %1</translation>
    </message>
</context>
<context>
    <name>headroom::ui::MetricTile</name>
    <message>
        <source>%1, %2: %3 %4</source>
        <translation>%1, %2: %3 %4</translation>
    </message>
    <message>
        <source>observed</source>
        <translation>beobachtet</translation>
    </message>
    <message>
        <source>calibrated</source>
        <translation>kalibriert</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>vorhergesagt</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>obs.</source>
        <translation>beob.</translation>
    </message>
    <message>
        <source>cal.</source>
        <translation>kal.</translation>
    </message>
    <message>
        <source>pred.</source>
        <translation>progn.</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>Token/s</translation>
    </message>
</context>
<context>
    <name>headroom::ui::NativeDialogs</name>
    <message>
        <source>Import measurements</source>
        <translation>Messungen importieren</translation>
    </message>
    <message>
        <source>Logs and tables (*.csv *.log *.txt *.out *.json *.jsonl);;All files (*)</source>
        <translation>Protokolle und Tabellen (*.csv *.log *.txt *.out *.json *.jsonl);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Headroom</source>
        <translation>Headroom</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>Model configurations and catalogue entries (*.json);;All files (*)</source>
        <translation>Modellkonfigurationen und Katalogeinträge (*.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Open scenario</source>
        <translation>Szenario öffnen</translation>
    </message>
    <message>
        <source>Save scenario</source>
        <translation>Szenario speichern</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>Ungespeicherte Änderungen</translation>
    </message>
    <message>
        <source>Save the changes to “%1”?</source>
        <translation>Änderungen an „%1“ speichern?</translation>
    </message>
    <message>
        <source>Without saving they are lost.</source>
        <translation>Ohne Speichern gehen sie verloren.</translation>
    </message>
    <message>
        <source>Unsaved scenario</source>
        <translation>Ungespeichertes Szenario</translation>
    </message>
    <message>
        <source>Restore the unsaved changes to “%1”?</source>
        <translation>Ungespeicherte Änderungen an „%1“ wiederherstellen?</translation>
    </message>
    <message>
        <source>Headroom stopped unexpectedly. The changes are from %1.</source>
        <translation>Headroom wurde nicht ordnungsgemäß beendet. Die Änderungen sind von %1.</translation>
    </message>
    <message>
        <source>&amp;Restore</source>
        <translation>&amp;Wiederherstellen</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>&amp;Verwerfen</translation>
    </message>
    <message>
        <source>&amp;Later</source>
        <translation>&amp;Später</translation>
    </message>
    <message>
        <source>Headroom scenarios (*.headroom);;JSON files (*.json);;All files (*)</source>
        <translation>Headroom-Szenarien (*.headroom);;JSON-Dateien (*.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Open views</source>
        <translation>Ansichten öffnen</translation>
    </message>
    <message>
        <source>Views (*.headroom-views);;All files (*)</source>
        <translation>Ansichten (*.headroom-views);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Import profile</source>
        <translation>Profil importieren</translation>
    </message>
    <message>
        <source>Profiles (*.json *.json.gz *.gz *.sqlite *.csv);;All files (*)</source>
        <translation>Profile (*.json *.json.gz *.gz *.sqlite *.csv);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Open results of a class</source>
        <translation>Ergebnisse einer Klasse öffnen</translation>
    </message>
    <message>
        <source>Results of lessons (*.headroom-results);;All files (*)</source>
        <translation>Ergebnisse von Lektionen (*.headroom-results);;Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>headroom::ui::Navigator</name>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
</context>
<context>
    <name>headroom::ui::NotesPopup</name>
    <message>
        <source>Notes on this result</source>
        <translation>Hinweise zu diesem Ergebnis</translation>
    </message>
</context>
<context>
    <name>headroom::ui::NothingFound</name>
    <message>
        <source>Nothing found for “%1”.</source>
        <translation>Nichts gefunden für „%1“.</translation>
    </message>
</context>
<context>
    <name>headroom::ui::OwnRunCard</name>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Search models</source>
        <translation>Modelle durchsuchen</translation>
    </message>
    <message>
        <source>Accelerator</source>
        <translation>Beschleuniger</translation>
    </message>
    <message>
        <source>Search accelerators</source>
        <translation>Beschleuniger durchsuchen</translation>
    </message>
    <message>
        <source>Show my run</source>
        <translation>Meinen Lauf zeigen</translation>
    </message>
    <message>
        <source>My own run</source>
        <translation>Mein eigener Lauf</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>Step time, seconds</source>
        <translation>Schrittzeit, Sekunden</translation>
    </message>
    <message>
        <source>from your log</source>
        <translation>aus Ihrem Protokoll</translation>
    </message>
    <message>
        <source>A whole number of GPUs, 1 or more.</source>
        <translation>Eine ganze Zahl von GPUs, mindestens 1.</translation>
    </message>
    <message>
        <source>The seconds of one optimizer step, more than 0: 4.3, or 250 ms.</source>
        <translation>Die Sekunden eines Optimiererschritts, mehr als 0: 4,3 oder 250 ms.</translation>
    </message>
    <message>
        <source>What you train, on which GPUs, what a step takes in, and how long it takes. Expectations are calibrated to that.</source>
        <translation>Was Sie trainieren, auf welchen GPUs, was ein Schritt verarbeitet und wie lange er dauert. Darauf werden die Erwartungen kalibriert.</translation>
    </message>
    <message>
        <source>Sequence length, tokens</source>
        <translation>Sequenzlänge, Token</translation>
    </message>
    <message>
        <source>Global batch, sequences</source>
        <translation>Globaler Batch, Sequenzen</translation>
    </message>
    <message>
        <source>The tokens of one sequence, a whole number: 4096, or 8k.</source>
        <translation>Die Token einer Sequenz, eine ganze Zahl: 4096 oder 8k.</translation>
    </message>
    <message>
        <source>The sequences of one optimizer step, a whole number.</source>
        <translation>Die Sequenzen eines Optimiererschritts, eine ganze Zahl.</translation>
    </message>
    <message>
        <source>%1 GPUs cannot share %2 sequences evenly.</source>
        <translation>%1 GPUs können %2 Sequenzen nicht gleichmäßig teilen.</translation>
    </message>
    <message>
        <source>%1: one per GPU</source>
        <translation>%1: eine pro GPU</translation>
    </message>
    <message>
        <source>tensor parallel %1, data parallel %2</source>
        <translation>tensorparallel %1, datenparallel %2</translation>
    </message>
    <message>
        <source>data parallel %1</source>
        <translation>datenparallel %1</translation>
    </message>
    <message>
        <source>Taken to have run with %1, micro-batch 1, micro-batches per step %2. Where that is not so, set it in the panel at the left, then press “I ran these settings”.</source>
        <translation>Angenommen wird: %1, Micro-Batch 1, Micro-Batches pro Schritt %2. Lief es anders, stellen Sie es links im Bedienfeld ein und drücken Sie „So lief es“.</translation>
    </message>
</context>
<context>
    <name>headroom::ui::PageOutput</name>
    <message>
        <source>Show the &amp;numbers</source>
        <translation>Zahl&amp;en anzeigen</translation>
    </message>
    <message>
        <source>Copy &amp;picture</source>
        <translation>&amp;Bild kopieren</translation>
    </message>
    <message>
        <source>Copy n&amp;umbers</source>
        <translation>Zahlen &amp;kopieren</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>E&amp;xportieren…</translation>
    </message>
    <message>
        <source>&amp;Copy table</source>
        <translation>&amp;Tabelle kopieren</translation>
    </message>
    <message>
        <source>&amp;Export CSV…</source>
        <translation>&amp;CSV exportieren…</translation>
    </message>
</context>
<context>
    <name>headroom::ui::PageTabs</name>
    <message>
        <source>More pages</source>
        <translation>Weitere Seiten</translation>
    </message>
</context>
<context>
    <name>headroom::ui::ParameterPanel</name>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Search models</source>
        <translation>Modelle durchsuchen</translation>
    </message>
    <message>
        <source>Accelerator</source>
        <translation>Beschleuniger</translation>
    </message>
    <message>
        <source>Search accelerators</source>
        <translation>Beschleuniger durchsuchen</translation>
    </message>
    <message>
        <source>Pre-train</source>
        <translation>Pre-Training</translation>
    </message>
    <message>
        <source>Fine-tune</source>
        <translation>Fine-Tuning</translation>
    </message>
    <message>
        <source>Serve</source>
        <translation>Serving</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>Reset group</source>
        <translation>Gruppe zurücksetzen</translation>
    </message>
    <message>
        <source>Fine-tuning of all weights is computed as pre-training is: choose Pre-train</source>
        <translation>Fine-Tuning aller Gewichte wird wie Pre-Training berechnet: Wählen Sie Pre-Training</translation>
    </message>
</context>
<context>
    <name>headroom::ui::ParameterRowWidget</name>
    <message>
        <source>Unlock</source>
        <translation>Entsperren</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>Sperren</translation>
    </message>
    <message>
        <source>Draw charts over %1</source>
        <translation>Diagramme über %1 zeichnen</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Slider from %1 to %2…</source>
        <translation>Regler von %1 bis %2…</translation>
    </message>
    <message>
        <source>What is %1?</source>
        <translation>Was ist %1?</translation>
    </message>
    <message>
        <source>Back to automatic: %1</source>
        <translation>Zurück auf automatisch: %1</translation>
    </message>
    <message>
        <source>Back to default: %1</source>
        <translation>Zurück zum Standardwert: %1</translation>
    </message>
    <message>
        <source>Lock %1</source>
        <translation>%1 sperren</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>nicht gesetzt</translation>
    </message>
</context>
<context>
    <name>headroom::ui::PhaseRows</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>What charts and tables call the phase. Empty: its number.</source>
        <translation>Wie Diagramme und Tabellen die Phase nennen. Leer: ihre Nummer.</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Tokens that the phase trains on.</source>
        <translation>Token, mit denen die Phase trainiert.</translation>
    </message>
    <message>
        <source>%1, does not fit</source>
        <translation>%1, passt nicht</translation>
    </message>
    <message>
        <source>Phases of the training</source>
        <translation>Phasen des Trainings</translation>
    </message>
    <message>
        <source>Phases run one after the other. An empty cell is as in the scenario, in grey. A global batch counts sequences: a phase with longer ones states its own.</source>
        <translation>Phasen laufen nacheinander. Eine leere Zelle ist wie im Szenario, in Grau. Ein globaler Batch zählt Sequenzen: Eine Phase mit längeren gibt ihren eigenen an.</translation>
    </message>
    <message>
        <source>Add phase</source>
        <translation>Phase hinzufügen</translation>
    </message>
    <message>
        <source>Remove phase</source>
        <translation>Phase entfernen</translation>
    </message>
    <message>
        <source>Move phase</source>
        <translation>Phase verschieben</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>undo step: column, name of a phase</comment>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
</context>
<context>
    <name>headroom::ui::PickerPopup</name>
    <message>
        <source>yours</source>
        <translation>eigen</translation>
    </message>
    <message>
        <source>%1, yours, %2</source>
        <translation>%1, eigener Eintrag, %2</translation>
    </message>
</context>
<context>
    <name>headroom::ui::PlanAnswer</name>
    <message>
        <source>%1 configurations decided: %2 evaluated; excluded by a bound: %3 do not fit, %4 are too slow, %5 cost too much</source>
        <translation>%1 Konfigurationen entschieden: %2 berechnet; durch eine Schranke ausgeschlossen: %3 passen nicht, %4 sind zu langsam, %5 kosten zu viel</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>%1 × %2 read, %3 decode</source>
        <translation>%1 × %2 lesen, %3 decodieren</translation>
    </message>
    <message>
        <source> (%1 train, %2 generate)</source>
        <translation> (%1 trainieren, %2 generieren)</translation>
    </message>
    <message>
        <source>, %1 of training</source>
        <translation>, %1 Training</translation>
    </message>
    <message>
        <source>, %1 of calendar time</source>
        <translation>, %1 Kalenderzeit</translation>
    </message>
    <message>
        <source>, %1 in all</source>
        <translation>, insgesamt %1</translation>
    </message>
    <message>
        <source>, %1 an hour</source>
        <translation>, %1 pro Stunde</translation>
    </message>
    <message>
        <source>, MFU %1</source>
        <translation>, MFU %1</translation>
    </message>
    <message>
        <source>, %1 of its capacity used</source>
        <translation>, %1 der Kapazität benutzt</translation>
    </message>
    <message>
        <source>; tightest: %1</source>
        <translation>; am knappsten: %1</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>Aufteilung</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Why the next cheaper options fail</source>
        <translation>Warum die nächstbilligeren Möglichkeiten ausscheiden</translation>
    </message>
    <message>
        <source>Progress of the search</source>
        <translation>Fortschritt der Suche</translation>
    </message>
    <message>
        <source>Stop the search; what was found so far stays</source>
        <translation>Die Suche anhalten; was bisher gefunden wurde, bleibt</translation>
    </message>
    <message>
        <source>So far: %1</source>
        <translation>Bisher: %1</translation>
    </message>
    <message>
        <source>No deployment fits and meets the targets.</source>
        <translation>Kein Deployment passt und erreicht die Ziele.</translation>
    </message>
    <message>
        <source>Stopped before anything was found.</source>
        <translation>Angehalten, bevor etwas gefunden war.</translation>
    </message>
    <message>
        <source>Fewer GPUs also meet the targets; by this objective they rank lower.</source>
        <translation>Auch weniger GPUs erfüllen die Ziele; nach diesem Ziel der Optimierung liegen sie weiter hinten.</translation>
    </message>
    <message>
        <source>No smaller number of GPUs was searched.</source>
        <translation>Weniger GPUs wurden nicht untersucht.</translation>
    </message>
    <message>
        <source>Stopped. %1</source>
        <translation>Angehalten. %1</translation>
    </message>
    <message>
        <source>What is pale answers the question before.</source>
        <translation>Was blass ist, gehört zur vorigen Frage.</translation>
    </message>
</context>
<context>
    <name>headroom::ui::PlanField</name>
    <message>
        <source>any</source>
        <translation>beliebig</translation>
    </message>
    <message>
        <source>, in %1</source>
        <translation>, in %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>“%1” is not a number.</source>
        <translation>„%1“ ist keine Zahl.</translation>
    </message>
    <message>
        <source>from %1 to %2.</source>
        <translation>von %1 bis %2.</translation>
    </message>
</context>
<context>
    <name>headroom::ui::PlanForm</name>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>MFU</source>
        <translation>MFU</translation>
    </message>
    <message>
        <source>Accelerators to compare with the scenario&apos;s own</source>
        <translation>Beschleuniger, mit denen der des Szenarios verglichen wird</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>Accelerators to compare: %1</source>
        <translation>Zu vergleichende Beschleuniger: %1</translation>
    </message>
    <message>
        <source>%1 (no price)</source>
        <translation>%1 (kein Preis)</translation>
    </message>
    <message>
        <source>This &amp;accelerator</source>
        <translation>Dieser Bes&amp;chleuniger</translation>
    </message>
    <message>
        <source>Price of %1</source>
        <translation>Preis von %1</translation>
    </message>
    <message>
        <source>Of one %1 for an hour, in the currency of the prices</source>
        <translation>Eines %1 für eine Stunde, in der Währung der Preise</translation>
    </message>
    <message>
        <source>1 more &amp;accelerator</source>
        <translation>und 1 weiterer Bes&amp;chleuniger</translation>
    </message>
    <message>
        <source>%1 more &amp;accelerators</source>
        <translation>und %1 weitere Bes&amp;chleuniger</translation>
    </message>
</context>
<context>
    <name>headroom::ui::PlanPage</name>
    <message>
        <source>Side by side</source>
        <translation>Nebeneinander</translation>
    </message>
    <message>
        <source>Growth</source>
        <translation>Wachstum</translation>
    </message>
    <message>
        <source>An analytical estimate of one layout at a time, with the efficiencies of the calibration: measure a pilot before you buy. Under a load, latencies are those of the sequences that it keeps in flight on average. Waiting: Erlang C over replicas × batch places with the spread of the lengths. Prices are US dollars, or in the currency of your price list.</source>
        <translation>Eine analytische Schätzung für jeweils eine Aufteilung, mit den Effizienzen der Kalibrierung: Messen Sie an einem Pilotaufbau, bevor Sie kaufen. Unter einer Last sind die Latenzen die der Sequenzen, die sie im Mittel in Bearbeitung hält. Wartezeit: Erlang C über Replikate × Batch-Plätze mit der Streuung der Längen. Preise in US-Dollar oder in der Währung Ihrer Preisliste.</translation>
    </message>
    <message>
        <source>The scenario cannot be evaluated: %1</source>
        <translation>Das Szenario ist nicht berechenbar: %1</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>%1 verwenden</translation>
    </message>
    <message>
        <source>plan.csv</source>
        <translation>plan.csv</translation>
    </message>
    <message>
        <source>Export the ranking</source>
        <translation>Rangliste exportieren</translation>
    </message>
    <message>
        <source>CSV tables (*.csv);;All files (*)</source>
        <translation>CSV-Tabellen (*.csv);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>The table could not be written</source>
        <translation>Die Tabelle konnte nicht geschrieben werden</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>plan.pdf</source>
        <translation>plan.pdf</translation>
    </message>
    <message>
        <source>Export the plan</source>
        <translation>Plan exportieren</translation>
    </message>
    <message>
        <source>The report was not written.</source>
        <translation>Der Bericht wurde nicht geschrieben.</translation>
    </message>
    <message>
        <source>Ranked by GPUs: no price of the %1 is known. Type one in the question above to rank by cost.</source>
        <translation>Nach GPUs geordnet: Für %1 ist kein Preis bekannt. Tippen Sie einen in die Frage oben, um nach Kosten zu ordnen.</translation>
    </message>
    <message>
        <source>PDF (*.pdf);;Markdown (*.md);;All files (*)</source>
        <translation>PDF (*.pdf);;Markdown (*.md);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>The ranking is in %1.</source>
        <translation>Die Rangliste liegt in %1.</translation>
    </message>
    <message>
        <source>The report is in %1.</source>
        <translation>Der Bericht liegt in %1.</translation>
    </message>
</context>
<context>
    <name>headroom::ui::PlanRanking</name>
    <message>
        <source>Use this</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Export CSV…</source>
        <translation>CSV exportieren…</translation>
    </message>
    <message>
        <source>Report…</source>
        <translation>Bericht…</translation>
    </message>
    <message>
        <source>Ranking</source>
        <translation>Rangliste</translation>
    </message>
    <message>
        <source>Tick up to four to see them side by side.</source>
        <translation>Haken Sie bis zu vier an, um sie nebeneinander zu sehen.</translation>
    </message>
    <message>
        <source>%1 All have: %2.</source>
        <translation>%1 Alle haben: %2.</translation>
    </message>
    <message>
        <source>Use the selected deployment, or the best one, as the scenario (Return)</source>
        <translation>Das ausgewählte Deployment, sonst das beste, zum Szenario machen (Eingabetaste)</translation>
    </message>
    <message>
        <source>Write the ranking at full precision</source>
        <translation>Die Rangliste mit allen Stellen schreiben</translation>
    </message>
    <message>
        <source>Ranked deployments</source>
        <translation>Deployments nach Rang</translation>
    </message>
    <message>
        <source>Space ticks a row for comparison, Return makes it the scenario</source>
        <translation>Die Leertaste hakt eine Zeile zum Vergleich an, die Eingabetaste macht sie zum Szenario</translation>
    </message>
    <message>
        <source>Question, answer, ranking and the selected deployment, else the best, as a PDF or as Markdown</source>
        <translation>Frage, Antwort, Rangliste und das ausgewählte Deployment, sonst das beste, als PDF oder als Markdown</translation>
    </message>
</context>
<context>
    <name>headroom::ui::PlanTableModel</name>
    <message>
        <source>–</source>
        <translation>–</translation>
    </message>
    <message>
        <source>Tick up to four to compare them</source>
        <translation>Haken Sie bis zu vier an, um sie zu vergleichen</translation>
    </message>
    <message>
        <source>The resource that runs out first, and the share in use</source>
        <translation>Was zuerst ausginge und wie viel davon belegt ist</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>Accelerator</source>
        <translation>Beschleuniger</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>Aufteilung</translation>
    </message>
    <message>
        <source>Tightest limit</source>
        <translation>Engste Grenze</translation>
    </message>
</context>
<context>
    <name>headroom::ui::PreferencesDialog</name>
    <message>
        <source>Preferences</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1&#xa0;%</translation>
    </message>
</context>
<context>
    <name>headroom::ui::Presenter</name>
    <message>
        <source>Keep from the presentation</source>
        <translation>Aus der Präsentation übernommen</translation>
    </message>
    <message>
        <source>Kept: it is in the window, one undo step</source>
        <translation>Übernommen: Es steht im Fenster, als ein Schritt zum Rückgängigmachen</translation>
    </message>
    <message>
        <source>Scenario of the view</source>
        <translation>Szenario der Ansicht</translation>
    </message>
    <message>
        <source>Stored in this view</source>
        <translation>In dieser Ansicht gespeichert</translation>
    </message>
    <message>
        <source>Added to the saved views</source>
        <translation>Zu den gespeicherten Ansichten hinzugefügt</translation>
    </message>
    <message>
        <source>Open view</source>
        <translation>Ansicht öffnen</translation>
    </message>
</context>
<context>
    <name>headroom::ui::ProfileController</name>
    <message>
        <source>Reading the profile…</source>
        <translation>Das Profil wird gelesen…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>No profile could be imported.</source>
        <translation>Es konnte kein Profil importiert werden.</translation>
    </message>
    <message>
        <source>Its events take no time.</source>
        <translation>Seine Ereignisse brauchen keine Zeit.</translation>
    </message>
    <message>
        <source>Import profile</source>
        <translation>Profil importieren</translation>
    </message>
    <message>
        <source>Profile imported (%1): a step takes %2</source>
        <translation>Profil importiert (%1): Ein Schritt dauert %2</translation>
    </message>
    <message>
        <source>kernel names kept: %1</source>
        <translation>behaltene Kernelnamen: %1</translation>
    </message>
</context>
<context>
    <name>headroom::ui::QuestionBox</name>
    <message>
        <source>I do not know</source>
        <translation>Ich weiß es nicht</translation>
    </message>
    <message>
        <source>Predict first</source>
        <translation>Sagen Sie zuerst voraus</translation>
    </message>
    <message>
        <source>Your guess</source>
        <translation>Ihre Schätzung</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Noted. Now find out whether it is so.</source>
        <translation>Notiert. Finden Sie nun heraus, ob es so ist.</translation>
    </message>
    <message>
        <source>Then find out.</source>
        <translation>Dann finden Sie es heraus.</translation>
    </message>
    <message>
        <source>It is %1.</source>
        <translation>Es sind %1.</translation>
    </message>
    <message>
        <source>Near enough: it is %1.</source>
        <translation>Nahe genug: Es sind %1.</translation>
    </message>
    <message>
        <source>Not quite: it is %1.</source>
        <translation>Nicht ganz: Es sind %1.</translation>
    </message>
    <message>
        <source>It is answer %1.</source>
        <translation>Es ist Antwort %1.</translation>
    </message>
    <message>
        <source>Right.</source>
        <translation>Richtig.</translation>
    </message>
    <message>
        <source>Not so: it is answer %1.</source>
        <translation>Nein: Es ist Antwort %1.</translation>
    </message>
    <message>
        <source>Type a number.</source>
        <translation>Geben Sie eine Zahl ein.</translation>
    </message>
    <message>
        <source>“%1” is not a number above zero.</source>
        <translation>„%1“ ist keine Zahl über null.</translation>
    </message>
    <message>
        <source>Your guess, in %1</source>
        <translation>Ihre Schätzung, in %1</translation>
    </message>
    <message>
        <source>Your guess is too high.</source>
        <translation>Ihre Schätzung ist zu hoch.</translation>
    </message>
    <message>
        <source>Your guess is too low.</source>
        <translation>Ihre Schätzung ist zu niedrig.</translation>
    </message>
</context>
<context>
    <name>headroom::ui::RowTableModel</name>
    <message>
        <source>%1: %2</source>
        <comment>column, value</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1: %2, as in the scenario</source>
        <comment>column, value</comment>
        <translation>%1: %2, wie im Szenario</translation>
    </message>
    <message>
        <source>%1: a number is needed.</source>
        <translation>%1: Hier muss eine Zahl stehen.</translation>
    </message>
    <message>
        <source>%1: “%2” is not a number.</source>
        <translation>%1: „%2“ ist keine Zahl.</translation>
    </message>
    <message>
        <source>%1: from %2 to %3.</source>
        <translation>%1: von %2 bis %3.</translation>
    </message>
</context>
<context>
    <name>headroom::ui::RowsDialog</name>
    <message>
        <source>&amp;Add</source>
        <translation>&amp;Hinzufügen</translation>
    </message>
    <message>
        <source>A row after this one, and like it (Insert)</source>
        <translation>Eine Zeile hinter dieser und wie diese (Einfg)</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>Take this row out (Ctrl+Delete); Undo brings it back</source>
        <translation>Diese Zeile herausnehmen (Strg+Entf); Rückgängig bringt sie zurück</translation>
    </message>
    <message>
        <source>&amp;Up</source>
        <translation>&amp;Aufwärts</translation>
    </message>
    <message>
        <source>One place earlier (Alt+Up)</source>
        <translation>Einen Platz nach vorn (Alt+Auf)</translation>
    </message>
    <message>
        <source>&amp;Down</source>
        <translation>A&amp;bwärts</translation>
    </message>
    <message>
        <source>One place later (Alt+Down)</source>
        <translation>Einen Platz nach hinten (Alt+Ab)</translation>
    </message>
    <message>
        <source>U&amp;ndo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Schließen</translation>
    </message>
    <message>
        <source>Undo “%1” (Ctrl+Z)</source>
        <translation>„%1“ rückgängig machen (Strg+Z)</translation>
    </message>
    <message>
        <source>Nothing to undo</source>
        <translation>Nichts rückgängig zu machen</translation>
    </message>
</context>
<context>
    <name>headroom::ui::RunController</name>
    <message>
        <source>No measurements could be imported from “%1”.</source>
        <translation>Aus „%1“ ließen sich keine Messungen importieren.</translation>
    </message>
    <message>
        <source>%1 imported from “%2” (%3)</source>
        <translation>%1 aus „%2“ importiert (%3)</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>serving</source>
        <translation>Serving</translation>
    </message>
    <message>
        <source>Measure this scenario (group “Measured” of the parameters), or import a log of a run on the same accelerator.</source>
        <translation>Messen Sie dieses Szenario (Parametergruppe „Messung“), oder importieren Sie das Protokoll eines Laufs auf demselben Beschleuniger.</translation>
    </message>
    <message>
        <source>Your runs are of %1: open one of them (Scenario › Your runs), or choose its accelerator.</source>
        <translation>Ihre Läufe sind: %1. Öffnen Sie einen davon (Szenario › Eigene Läufe), oder wählen Sie dessen Beschleuniger.</translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message>
        <source>There is nothing to calibrate to.</source>
        <translation>Es gibt nichts, worauf zu kalibrieren wäre.</translation>
    </message>
    <message>
        <source>Calibrate to your runs</source>
        <translation>Auf eigene Läufe kalibrieren</translation>
    </message>
    <message>
        <source>Calibrated to your runs: %1</source>
        <translation>Auf Ihre Läufe kalibriert: %1</translation>
    </message>
    <message>
        <source>Built-in calibration</source>
        <translation>Mitgelieferte Kalibrierung</translation>
    </message>
    <message>
        <source>Open a run of yours</source>
        <translation>Einen eigenen Lauf öffnen</translation>
    </message>
    <message>
        <source>&amp;Open as the scenario</source>
        <translation>Als Szenario ö&amp;ffnen</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>No runs of yours yet: File › Import measurements</source>
        <translation>Noch keine eigenen Läufe: Datei › Messungen importieren</translation>
    </message>
    <message>
        <source>Remove all</source>
        <translation>Alle entfernen</translation>
    </message>
    <message>
        <source>Your runs could not be kept. They are there until Headroom ends.</source>
        <translation>Ihre Läufe konnten nicht aufgehoben werden. Sie sind da, bis Headroom endet.</translation>
    </message>
    <message>
        <source>Calibrate to this run</source>
        <translation>Auf diesen Lauf kalibrieren</translation>
    </message>
    <message>
        <source>Expectations are calibrated to this run; undo takes that back: %1</source>
        <translation>Die Erwartung ist auf diesen Lauf kalibriert; Rückgängig nimmt das zurück: %1</translation>
    </message>
    <message>
        <source>Kept among your runs, and expectations are calibrated to it; undo takes that back: %1</source>
        <translation>Unter Ihren Läufen behalten, und die Erwartung ist darauf kalibriert; Rückgängig nimmt das zurück: %1</translation>
    </message>
    <message>
        <source>Kept among your runs; expectations stay: %1</source>
        <translation>Unter Ihren Läufen behalten; die Erwartung bleibt: %1</translation>
    </message>
    <message>
        <source>Expectations stay: %1</source>
        <translation>Die Erwartung bleibt: %1</translation>
    </message>
    <message>
        <source>Kept among your runs; undo takes that back</source>
        <translation>Unter Ihren Läufen behalten; Rückgängig nimmt das zurück</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>%1 removed from the history; undo takes that back</source>
        <translation>%1 aus der Liste entfernt; Rückgängig nimmt das zurück</translation>
    </message>
</context>
<context>
    <name>headroom::ui::RunLibrary</name>
    <message>
        <source>Another window is writing them.</source>
        <translation>Ein anderes Fenster schreibt sie gerade.</translation>
    </message>
    <message>
        <source>“%1” cannot be read.</source>
        <translation>„%1“ lässt sich nicht lesen.</translation>
    </message>
</context>
<context>
    <name>headroom::ui::ScenarioMessages</name>
    <message>
        <source>Cannot be evaluated: %1</source>
        <translation>Nicht berechenbar: %1</translation>
    </message>
    <message>
        <source>Does not fit: %1.</source>
        <translation>Passt nicht: %1.</translation>
    </message>
    <message>
        <source>Does not fit: %1. %2.</source>
        <translation>Passt nicht: %1. %2.</translation>
    </message>
    <message>
        <source>I ran these settings</source>
        <translation>So lief es</translation>
    </message>
    <message>
        <source>Cannot be evaluated</source>
        <translation>Nicht berechenbar</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>Passt nicht</translation>
    </message>
    <message>
        <source>Read the notes</source>
        <translation>Hinweise beachten</translation>
    </message>
    <message>
        <source>Measured: impossible</source>
        <translation>Messung: unmöglich</translation>
    </message>
    <message>
        <source>Back to those settings</source>
        <translation>Zurück zu diesen Einstellungen</translation>
    </message>
    <message>
        <source>Leave the measurement out</source>
        <translation>Messung weglassen</translation>
    </message>
    <message>
        <source>Does not fit: needs %1 per GPU, has %2.</source>
        <translation>Passt nicht: braucht %1 pro GPU, hat %2.</translation>
    </message>
</context>
<context>
    <name>headroom::ui::ScenarioStore</name>
    <message>
        <source>%1 %2</source>
        <comment>undo step: parameter, value</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>%1 zurücksetzen</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>Unbenannt</translation>
    </message>
    <message>
        <source>Swap with %1</source>
        <translation>Mit %1 tauschen</translation>
    </message>
    <message>
        <source>Measured with these settings</source>
        <translation>Mit diesen Einstellungen gemessen</translation>
    </message>
    <message>
        <source>Back to what was measured</source>
        <translation>Zurück zum Gemessenen</translation>
    </message>
    <message>
        <source>Leave the measurement out</source>
        <translation>Messung weglassen</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>Alles zurücksetzen</translation>
    </message>
    <message>
        <source>Name %1</source>
        <translation>%1 benennen</translation>
    </message>
    <message>
        <source>Pin %1</source>
        <translation>%1 anheften</translation>
    </message>
    <message>
        <source>Forget the pins</source>
        <translation>Pins lösen</translation>
    </message>
</context>
<context>
    <name>headroom::ui::SegmentedControl</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>headroom::ui::SidePanel</name>
    <message>
        <source>Lesson</source>
        <translation>Lektion</translation>
    </message>
    <message>
        <source>Explanation</source>
        <translation>Erklärung</translation>
    </message>
    <message>
        <source>Right panel</source>
        <translation>Rechte Leiste</translation>
    </message>
</context>
<context>
    <name>headroom::ui::Stage</name>
    <message>
        <source>Presentation</source>
        <translation>Präsentation</translation>
    </message>
    <message>
        <source>Black screen</source>
        <translation>Schwarzer Bildschirm</translation>
    </message>
    <message>
        <source>Presentation, view %1 of %2: %3</source>
        <translation>Präsentation, Ansicht %1 von %2: %3</translation>
    </message>
    <message>
        <source>As saved</source>
        <translation>Wie gespeichert</translation>
    </message>
</context>
<context>
    <name>headroom::ui::StageHeader</name>
    <message>
        <source>View before</source>
        <translation>Vorige Ansicht</translation>
    </message>
    <message>
        <source>View before (←)</source>
        <translation>Vorige Ansicht (←)</translation>
    </message>
    <message>
        <source>Next view</source>
        <translation>Nächste Ansicht</translation>
    </message>
    <message>
        <source>Next view (→)</source>
        <translation>Nächste Ansicht (→)</translation>
    </message>
    <message>
        <source>Leave the presentation</source>
        <translation>Präsentation verlassen</translation>
    </message>
    <message>
        <source>Leave the presentation (Esc)</source>
        <translation>Präsentation verlassen (Esc)</translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>View %1 of %2</source>
        <translation>Ansicht %1 von %2</translation>
    </message>
    <message>
        <source>Chart %1 of %2 · C: the others</source>
        <translation>Diagramm %1 von %2 · C: die anderen</translation>
    </message>
    <message>
        <source>Charts %1 and %2 of %3 · C: the others</source>
        <translation>Diagramme %1 und %2 von %3 · C: die anderen</translation>
    </message>
    <message>
        <source>Cannot be evaluated: %1</source>
        <translation>Nicht berechenbar: %1</translation>
    </message>
    <message>
        <source>Does not fit: %1</source>
        <translation>Passt nicht: %1</translation>
    </message>
</context>
<context>
    <name>headroom::ui::StageHint</name>
    <message>
        <source>← → views   Tab sliders   B black   L dot   R as saved   K keep in the window   Esc leave</source>
        <translation>← → Ansichten   Tab Regler   B schwarz   L Punkt   R wie gespeichert   K ins Fenster übernehmen   Esc verlassen</translation>
    </message>
</context>
<context>
    <name>headroom::ui::StatusLine</name>
    <message>
        <source>The expectation carries efficiencies of your own; undo takes them back too</source>
        <translation>Die Erwartung rechnet mit eigenen Effizienzen; auch Rückgängig nimmt sie zurück</translation>
    </message>
    <message>
        <source>Own calibration in force: back to the built-in one</source>
        <translation>Eigene Kalibrierung in Kraft: zurück zur mitgelieferten</translation>
    </message>
    <message>
        <source>From the change to the last repaint it caused</source>
        <translation>Von der Änderung bis zum letzten Neuzeichnen, das sie ausgelöst hat</translation>
    </message>
    <message>
        <source>&lt;span style=&apos;color:%1&apos;&gt;●&lt;/span&gt; fits: %2 of memory</source>
        <translation>&lt;span style=&apos;color:%1&apos;&gt;●&lt;/span&gt; passt: %2 des Speichers</translation>
    </message>
    <message>
        <source>&lt;span style=&apos;color:%1&apos;&gt;●&lt;/span&gt; may not fit: %2 of memory</source>
        <translation>&lt;span style=&apos;color:%1&apos;&gt;●&lt;/span&gt; passt vielleicht nicht: %2 des Speichers</translation>
    </message>
    <message>
        <source>&lt;span style=&apos;color:%1&apos;&gt;▲&lt;/span&gt; a phase does not fit</source>
        <translation>&lt;span style=&apos;color:%1&apos;&gt;▲&lt;/span&gt; eine Phase passt nicht</translation>
    </message>
    <message>
        <source>&lt;span style=&apos;color:%1&apos;&gt;▲&lt;/span&gt; does not fit: %2 of memory</source>
        <translation>&lt;span style=&apos;color:%1&apos;&gt;▲&lt;/span&gt; passt nicht: %2 des Speichers</translation>
    </message>
    <message>
        <source>bound by %1</source>
        <translation>begrenzt durch %1</translation>
    </message>
    <message>
        <source>&lt;span style=&apos;color:%1&apos;&gt;◆&lt;/span&gt; own calibration · &lt;a href=&apos;builtin&apos; style=&apos;color:%2&apos;&gt;back to built-in&lt;/a&gt;</source>
        <translation>&lt;span style=&apos;color:%1&apos;&gt;◆&lt;/span&gt; eigene Kalibrierung · &lt;a href=&apos;builtin&apos; style=&apos;color:%2&apos;&gt;zurück zur mitgelieferten&lt;/a&gt;</translation>
    </message>
    <message>
        <source>&lt;span style=&apos;color:%1&apos;&gt;▲&lt;/span&gt; cannot be evaluated: the figures are older</source>
        <translation>&lt;span style=&apos;color:%1&apos;&gt;▲&lt;/span&gt; nicht berechenbar: Die Zahlen sind älter</translation>
    </message>
    <message>
        <source>%1 per update</source>
        <translation>%1 pro Aktualisierung</translation>
    </message>
    <message>
        <source>unsaved changes</source>
        <translation>ungespeicherte Änderungen</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>gespeichert</translation>
    </message>
    <message>
        <source>not saved to a file</source>
        <translation>nicht in einer Datei gespeichert</translation>
    </message>
    <message>
        <source>What the result assumes or leaves out</source>
        <translation>Was das Ergebnis unterstellt oder auslässt</translation>
    </message>
    <message>
        <source>1 note</source>
        <translation>1 Hinweis</translation>
    </message>
    <message>
        <source>%1 notes</source>
        <translation>%1 Hinweise</translation>
    </message>
    <message>
        <source>%1 on this result</source>
        <translation>%1 zu diesem Ergebnis</translation>
    </message>
    <message>
        <source>&lt;span style=&apos;color:%1&apos;&gt;▲&lt;/span&gt; cannot be evaluated</source>
        <translation>&lt;span style=&apos;color:%1&apos;&gt;▲&lt;/span&gt; nicht berechenbar</translation>
    </message>
</context>
<context>
    <name>headroom::ui::ValueControl</name>
    <message>
        <source>“%1” is not a number.</source>
        <translation>„%1“ ist keine Zahl.</translation>
    </message>
    <message>
        <source>From %1 to %2.</source>
        <translation>Von %1 bis %2.</translation>
    </message>
    <message>
        <source>A whole number.</source>
        <translation>Eine ganze Zahl.</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>%1 verwenden</translation>
    </message>
    <message>
        <source>Keep %1</source>
        <translation>%1 behalten</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>No larger micro-batch divides the global batch of %1 (data parallel %2).</source>
        <translation>Kein größerer Micro-Batch teilt den globalen Batch von %1 (datenparallel %2).</translation>
    </message>
</context>
<context>
    <name>headroom::ui::ViewForm</name>
    <message>
        <source>Ta&amp;ke the window&apos;s</source>
        <translation>V&amp;om Fenster nehmen</translation>
    </message>
    <message>
        <source>This view begins with the scenario in hand</source>
        <translation>Diese Ansicht beginnt mit dem Szenario im Fenster</translation>
    </message>
    <message>
        <source>Open in the &amp;window</source>
        <translation>Im &amp;Fenster öffnen</translation>
    </message>
    <message>
        <source>The scenario of this view becomes the one in hand</source>
        <translation>Das Szenario dieser Ansicht wird das im Fenster</translation>
    </message>
    <message>
        <source>Rename view</source>
        <translation>Ansicht umbenennen</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Charts of the view</source>
        <translation>Diagramme der Ansicht</translation>
    </message>
    <message>
        <source>Sliders of the view</source>
        <translation>Regler der Ansicht</translation>
    </message>
    <message>
        <source>Model and accelerators</source>
        <translation>Modell und Beschleuniger</translation>
    </message>
    <message>
        <source>Under the charts, and on paper</source>
        <translation>Unter den Diagrammen und auf Papier</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>No&amp;te</source>
        <translation>No&amp;tiz</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>Szenario</translation>
    </message>
    <message>
        <source>&amp;Charts, up to %1</source>
        <translation>&amp;Diagramme, bis zu %1</translation>
    </message>
    <message>
        <source>S&amp;liders, up to %1</source>
        <translation>&amp;Regler, bis zu %1</translation>
    </message>
    <message>
        <source>Cannot be evaluated: %1</source>
        <translation>Nicht berechenbar: %1</translation>
    </message>
</context>
<context>
    <name>headroom::ui::ViewLibrary</name>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>%1 kann nicht geschrieben werden: %2</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
</context>
<context>
    <name>headroom::ui::ViewsController</name>
    <message>
        <source>“%1” does not hold views that Headroom can open. The saved views are unchanged.</source>
        <translation>„%1“ enthält keine Ansichten, die Headroom öffnen kann. Die gespeicherten Ansichten sind unverändert.</translation>
    </message>
    <message>
        <source>Save views</source>
        <translation>Ansichten speichern</translation>
    </message>
    <message>
        <source>Views (*.headroom-views);;All files (*)</source>
        <translation>Ansichten (*.headroom-views);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>The views were not saved.</source>
        <translation>Die Ansichten wurden nicht gespeichert.</translation>
    </message>
    <message>
        <source>Export views</source>
        <translation>Ansichten exportieren</translation>
    </message>
    <message>
        <source>PDF (*.pdf);;All files (*)</source>
        <translation>PDF (*.pdf);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>The views were not written.</source>
        <translation>Die Ansichten wurden nicht geschrieben.</translation>
    </message>
</context>
<context>
    <name>headroom::ui::ViewsDialog</name>
    <message>
        <source>Views</source>
        <translation>Ansichten</translation>
    </message>
    <message>
        <source>Scenario of the view</source>
        <translation>Szenario der Ansicht</translation>
    </message>
    <message>
        <source>&amp;Add this scenario</source>
        <translation>Dieses Szenario &amp;hinzufügen</translation>
    </message>
    <message>
        <source>The window&apos;s scenario, charts and pins as a new view</source>
        <translation>Szenario, Diagramme und Vergleiche des Fensters als neue Ansicht</translation>
    </message>
    <message>
        <source>&amp;Up</source>
        <translation>&amp;Aufwärts</translation>
    </message>
    <message>
        <source>Earlier in the talk (Alt+Up)</source>
        <translation>Früher im Vortrag (Alt+Auf)</translation>
    </message>
    <message>
        <source>&amp;Down</source>
        <translation>A&amp;bwärts</translation>
    </message>
    <message>
        <source>Later in the talk (Alt+Down)</source>
        <translation>Später im Vortrag (Alt+Ab)</translation>
    </message>
    <message>
        <source>D&amp;elete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>Remove the view (Delete); Undo restores it</source>
        <translation>Die Ansicht aus dem Vortrag nehmen (Entf); Rückgängig bringt sie zurück</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>&amp;Öffnen…</translation>
    </message>
    <message>
        <source>Open views from a file in place of these</source>
        <translation>Ansichten aus einer Datei anstelle dieser</translation>
    </message>
    <message>
        <source>&amp;Save as…</source>
        <translation>&amp;Speichern unter…</translation>
    </message>
    <message>
        <source>Save a copy; Headroom keeps these views by itself</source>
        <translation>Eine Kopie zum Mitnehmen; diese hier bleiben von selbst erhalten</translation>
    </message>
    <message>
        <source>E&amp;xport PDF…</source>
        <translation>PDF e&amp;xportieren…</translation>
    </message>
    <message>
        <source>One view a page, with its note</source>
        <translation>Eine Ansicht je Seite, mit ihrer Notiz</translation>
    </message>
    <message>
        <source>&amp;Present</source>
        <translation>&amp;Präsentieren</translation>
    </message>
    <message>
        <source>Full screen, from the first view (F5)</source>
        <translation>Vollbild, ab der ersten Ansicht (F5)</translation>
    </message>
    <message>
        <source>No views yet. Set up the window as you want to show it, then add it here.</source>
        <translation>Noch keine Ansichten. Das Fenster so einrichten, wie es zu sehen sein soll, dann hier hinzufügen.</translation>
    </message>
    <message>
        <source>Add view</source>
        <translation>Ansicht hinzufügen</translation>
    </message>
    <message>
        <source>Delete view</source>
        <translation>Ansicht löschen</translation>
    </message>
    <message>
        <source>Move view</source>
        <translation>Ansicht verschieben</translation>
    </message>
    <message>
        <source>%1  %2</source>
        <comment>number, name of a view</comment>
        <translation>%1  %2</translation>
    </message>
    <message>
        <source>Undo “%1” (Ctrl+Z)</source>
        <translation>„%1“ rückgängig machen (Strg+Z)</translation>
    </message>
    <message>
        <source>Nothing to undo</source>
        <translation>Nichts rückgängig zu machen</translation>
    </message>
    <message>
        <source>The saved views cannot be read. Headroom keeps their file beside the new one.
%1</source>
        <translation>Die zuletzt behaltenen Ansichten sind nicht lesbar; ihre Datei wird beiseitegelegt, sobald diese behalten werden.
%1</translation>
    </message>
</context>
<context>
    <name>headroom::ui::Welcome</name>
    <message>
        <source>My own run</source>
        <translation>Mein eigener Lauf</translation>
    </message>
</context>
<context>
    <name>headroom::ui::WelcomeCard</name>
    <message>
        <source>Welcome</source>
        <translation>Willkommen</translation>
    </message>
    <message>
        <source>How much of your GPUs do you use?</source>
        <translation>Wie viel Ihrer GPUs nutzen Sie?</translation>
    </message>
    <message>
        <source>Headroom predicts how fast a large model trains or answers on given hardware, what share of the hardware that is, and what would raise it. What you see behind this card is live.</source>
        <translation>Headroom sagt voraus, wie schnell ein großes Modell auf gegebener Hardware trainiert oder antwortet, welcher Anteil der Hardware das ist und was ihn heben würde. Was Sie hinter dieser Karte sehen, rechnet schon.</translation>
    </message>
    <message>
        <source>Explore</source>
        <translation>Erkunden</translation>
    </message>
    <message>
        <source>Move any slider: every figure and chart follows. Ctrl+K finds anything.</source>
        <translation>Bewegen Sie einen Regler: Jede Zahl und jedes Diagramm folgt. Strg+K findet alles.</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>Lernen</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Planen</translation>
    </message>
    <message>
        <source>State what you need and get the smallest deployment that meets it, with the reason.</source>
        <translation>Sagen Sie, was Sie brauchen; Sie erhalten das kleinste Deployment, das es leistet, und warum.</translation>
    </message>
    <message>
        <source>%1 short lessons on this window, beginning with what MFU is.</source>
        <translation>%1 kurze Lektionen in diesem Fenster, angefangen damit, was MFU ist.</translation>
    </message>
    <message>
        <source>My run</source>
        <translation>Mein Lauf</translation>
    </message>
    <message>
        <source>Enter model, GPUs and step time: what limits it, and what to change next.</source>
        <translation>Modell, GPUs und Schrittzeit eintragen: was begrenzt und was als Nächstes zu ändern ist.</translation>
    </message>
    <message>
        <source>Escape closes this card. Help, Four ways to begin, brings it back.</source>
        <translation>Escape schließt diese Karte. Hilfe, Vier Wege zum Anfang, holt sie zurück.</translation>
    </message>
</context>
</TS>
